import { type Bench, interleave } from "../bench.ts";
import { bookingRequest, PASSENGERS } from "../data/booking-request.ts";
import type { RequestTemplate } from "../load/job.ts";
import { caughtUp } from "../service/bench-service.ts";
import { importBenchFlights } from "../service/import-bench-flights.ts";
import type { Benchmark } from "./benchmark.ts";
import { HttpBench } from "./http-bench.ts";

const BOOKINGS = 1_000;
/** What others book meanwhile: far below what the service can do, so that nothing waits but for the sweep. */
const PER_SECOND = 100;
const OTHERS = { connections: 64, pace: { kind: "open", perSecond: PER_SECOND } } as const;

/** D1: what others wait while a sold flight is cancelled, and its bookings end and are paid back. */
export const cancelledFlight: Benchmark = {
  goals: ["D1"],
  async measure(bench) {
    const http = await HttpBench.start(bench);
    const source = { kind: "cycle", messages: [await http.freshBooking()], repeat: 1 } as const;
    const others = { port: http.service.port, source, expectedStatus: 201, ...OTHERS } as const;
    const p99 = async () => (await http.load(others)).latency.p99;
    // Warms up.
    await cancelSoldFlight(bench, http, p99);
    const rounds = await interleave(bench, "others' p99 in ms", {
      reference: p99,
      measured: () => cancelSoldFlight(bench, http, p99),
    });
    const note = `${PER_SECOND} bookings/s of others, ${BOOKINGS} paid bookings on the flight`;
    return [{ goal: "D1", subject: "", unit: "ms", rounds, note }];
  },
};

/** Sells a flight, and cancels it while `measure` runs. */
async function cancelSoldFlight({ say }: Bench, http: HttpBench, measure: () => Promise<number>): Promise<number> {
  const { service } = http;
  const flightId = await sellFlight(http);
  await service.idle();
  const measured = measure();
  const path = `/operator/flights/${flightId}`;
  const startedAt = performance.now();
  const body = { run: 0 };
  const { id } = (await service.operator.request("POST", `${path}/cancel`, body)) as { readonly id: string };
  const disruption = `/operator/disruptions/${id}`;
  const ended = untilEnded(http, disruption).then(() => performance.now() - startedAt);
  const figure = await measured;
  say(`the sweep took ${((await ended) / 1_000).toFixed(1)} s`);
  await service.idle();
  return figure;
}

async function untilEnded({ service: { operator } }: HttpBench, disruption: string): Promise<void> {
  for (;;) {
    const { status } = (await operator.request("GET", disruption)) as { readonly status: string };
    if (status === "ended") return;
    await caughtUp(operator);
  }
}

/** Books and pays; returns the flight. */
async function sellFlight(http: HttpBench): Promise<string> {
  const [flight] = await importBenchFlights(http.service, BOOKINGS * PASSENGERS);
  if (flight === undefined) throw new Error("no flight was imported");
  const headers = http.account.writer;
  const book: RequestTemplate = {
    method: "POST",
    path: "/v1/bookings",
    headers,
    body: bookingRequest(flight.flightId),
  };
  const ids = await sendAll(
    http,
    Array.from({ length: BOOKINGS }, () => book),
  );
  const body = '{"type":"card","token":"tok_visa"}';
  const pay = (id: string): RequestTemplate => {
    const path = `/v1/bookings/${id}/payments`;
    return { method: "POST", path, headers: { ...headers, "idempotency-key": id }, body };
  };
  await sendAll(http, ids.map(pay));
  return flight.flightId;
}

/** Sends each once; returns the ids in the answers. */
async function sendAll(http: HttpBench, messages: readonly RequestTemplate[]): Promise<readonly string[]> {
  const { port } = http.service;
  const source = { kind: "cycle", messages, repeat: 1 } as const;
  const limits = { limit: messages.length, seconds: 600, keepIds: true, expectedStatus: 201 } as const;
  return (await http.load({ port, source, ...limits, pace: { kind: "closed" } })).ids;
}
