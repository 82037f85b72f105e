import { type Bench, interleave } from "../bench.ts";
import { HttpBench } from "../benchmarks/http-bench.ts";
import { Child } from "../children/child.ts";
import type { RequestSource, RequestTemplate } from "../load/job.ts";
import type { VisibilityReport, VisibilityTask } from "../load/visibility.ts";
import type { Round } from "../report/measurement.ts";
import { Service } from "../service/service.ts";
import { startDistributedService } from "./distributed-service.ts";

/** One thing measured on both profiles in turn; the embedded one is the reference. */
export interface ComparedProfiles {
  readonly what: string;
  readonly unit: string;
  readonly rounds: readonly Round[];
}

/** What is imported is sized by this: the servers of a test machine take long to swallow a large catalogue. */
const MAX_PER_SECOND = 3_000;
const PROBES = 4;
const BOOKINGS_READ = 500;

type Measure = (http: HttpBench) => Promise<number>;

/** What the distributed profile does beside the embedded one, in the same run. */
export async function compareProfiles(bench: Bench): Promise<readonly ComparedProfiles[]> {
  const embedded = await Service.start(bench.folder());
  bench.atEnd(() => embedded.stop());
  const distributed = await startDistributedService();
  bench.atEnd(() => distributed.stop());
  const sides = {
    reference: await HttpBench.of(bench, embedded, MAX_PER_SECOND),
    measured: await HttpBench.of(bench, distributed, MAX_PER_SECOND),
  };
  const compare = async (what: string, unit: string, figure: Measure): Promise<ComparedProfiles> => {
    await figure(sides.reference);
    await figure(sides.measured);
    const rounds = await interleave(bench, what, {
      reference: () => figure(sides.reference),
      measured: () => figure(sides.measured),
    });
    return { what, unit, rounds };
  };
  const reads = new Map<HttpBench, Promise<readonly string[]>>();
  const prober = new Child<VisibilityTask, VisibilityReport>(new URL("../load/visibility.ts", import.meta.url));
  bench.atEnd(() => prober.stop());
  return [
    await compare(
      "hold seats, many flights",
      "requests/s",
      async (http) => (await http.commands("hold", "many flights")).perSecond,
    ),
    await compare(
      "book, many flights",
      "requests/s",
      async (http) => (await http.commands("book", "many flights")).perSecond,
    ),
    await compare(
      "book, all on one flight",
      "requests/s",
      async (http) => (await http.commands("book", "one flight")).perSecond,
    ),
    await compare("GET a booking", "requests/s", async (http) => {
      const ids = reads.get(http) ?? createBookings(http);
      reads.set(http, ids);
      return readBookings(http, await ids);
    }),
    await compare("from 201 to visible, p99, idle", "ms", async (http) => visibility(bench, http, prober)),
  ];
}

/** Some bookings to read, one after the other; their ids. */
async function createBookings(http: HttpBench): Promise<readonly string[]> {
  const { path, headers, body } = await http.freshBooking();
  const init = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: body ?? null };
  const ids: string[] = [];
  for (let count = 0; count < BOOKINGS_READ; count += 1) {
    const response = await fetch(`http://127.0.0.1:${http.service.port}${path}`, init);
    if (response.status !== 201) throw new Error(`status ${response.status} instead of 201: ${await response.text()}`);
    ids.push(((await response.json()) as { id: string }).id);
  }
  await http.service.idle();
  return ids;
}

async function readBookings(http: HttpBench, ids: readonly string[]): Promise<number> {
  const messages = ids.map(
    (id): RequestTemplate => ({ method: "GET", path: `/v1/bookings/${id}`, headers: http.account.reader }),
  );
  const source: RequestSource = { kind: "cycle", messages, repeat: 1 };
  return (await http.load({ port: http.service.port, source, expectedStatus: 200, pace: { kind: "closed" } }))
    .perSecond;
}

async function visibility(
  bench: Bench,
  http: HttpBench,
  prober: Child<VisibilityTask, VisibilityReport>,
): Promise<number> {
  const report = await prober.run({
    port: http.service.port,
    requests: [
      {
        write: await http.freshBooking(),
        read: { method: "GET", path: "/v1/bookings/", headers: http.account.reader },
      },
    ],
    probes: PROBES,
    seconds: bench.options.seconds,
  });
  return report.latency.p99;
}
