import { type Bench, interleave } from "../bench.ts";
import { Child, runOnce } from "../children/child.ts";
import { Latencies } from "../load/latencies.ts";
import type { Misbehaviour, PublishTask, ReceiveTask, Timestamps } from "../webhooks/tasks.ts";
import type { Benchmark } from "./benchmark.ts";

const script = (path: string) => new URL(`../${path}`, import.meta.url);

const ACCOUNTS = [1, 2];
/** Of each account. */
const GOOD_ENDPOINTS = 2;
const BOOKINGS = 100;
const EVENTS_PER_SECOND = 200;
/** Long enough that those who never answer reach their time-out, and are begun again. */
const TIMES_AS_LONG = 7;

type Receiver = Child<{ ask: ReceiveTask }, string | readonly (readonly [eventId: string, moment: number])[]>;

/**
 * W2: from an event that can be seen to the receiver that has it, beside bad receivers of the same account, and beside as
 * many that take everything.
 */
export const goodReceivers: Benchmark = {
  goals: ["W2"],
  async measure(bench) {
    const receiver: Receiver = new Child(script("webhooks/receive.ts"));
    const misbehaving = new Child<object, Readonly<Record<Misbehaviour, string>>>(script("webhooks/misbehave.ts"));
    bench.atEnd(() => receiver.stop());
    bench.atEnd(() => misbehaving.stop());
    const url = String(await receiver.run({ ask: "where" }));
    const good = ACCOUNTS.flatMap((account) =>
      Array.from({ length: GOOD_ENDPOINTS }, () => ({ account, url: `${url}timed` })),
    );
    const bad = Object.values(await misbehaving.run({})).map((url) => ({ account: ACCOUNTS[0] ?? 0, url }));
    const others = bad.map(({ account }) => ({ account, url }));
    const rounds = await interleave(bench, "good receivers' p99 in ms", {
      reference: () => p99(bench, receiver, [...good, ...others]),
      measured: () => p99(bench, receiver, [...good, ...bad]),
    });
    const note = `${EVENTS_PER_SECOND} events/s of ${ACCOUNTS.length * BOOKINGS} bookings`;
    return [{ goal: "W2", subject: "", unit: "ms", rounds, note }];
  },
};

/** Milliseconds from when an event could be seen until a good receiver had it. */
async function p99(bench: Bench, receiver: Receiver, endpoints: PublishTask["endpoints"]): Promise<number> {
  await receiver.run({ ask: "what came" });
  const moments = await runOnce<PublishTask, Timestamps>(script("webhooks/publish.ts"), {
    folder: bench.folder(),
    seconds: bench.options.seconds * TIMES_AS_LONG,
    perSecond: EVENTS_PER_SECOND,
    bookingsEach: BOOKINGS,
    endpoints,
  });
  const came = await receiver.run({ ask: "what came" });
  if (typeof came === "string") throw new Error("the receiver did not say what came");
  const wanted = Object.keys(moments).length * GOOD_ENDPOINTS;
  if (came.length < wanted) throw new Error(`${came.length} of ${wanted} deliveries have come`);
  const latencies = new Latencies();
  for (const [eventId, moment] of came) latencies.add(moment - (moments[eventId] ?? moment));
  return latencies.summary().p99;
}
