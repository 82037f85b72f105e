import { type Bench, interleave } from "../bench.ts";
import { Child, runOnce } from "../children/child.ts";
import type { Measurement } from "../report/measurement.ts";
import type { TaskResult } from "../store/tasks.ts";
import type { DeliverTask, PostTask, ReceiveTask } from "../webhooks/tasks.ts";
import type { Benchmark } from "./benchmark.ts";

const script = (path: string) => new URL(`../${path}`, import.meta.url);

/** As many connections as four endpoints may have. */
const IN_FLIGHT = 64;
/** Every measurement makes so many deliveries. */
const DELIVERIES = 20_000;
const ENDPOINTS = 4;
const FEW = 10;
const MANY = 1_000;

type Backlog = Pick<DeliverTask, "accounts" | "endpointsEach" | "eventsEach" | "warmUpEach">;

const rateOf = ({ events, seconds }: TaskResult) => events / seconds;

/** P7 and W1: how fast a backlog is delivered, to a receiver that takes everything. */
export const deliveries: Benchmark = {
  goals: ["P7", "W1"],
  async measure(bench, wanted) {
    const receiver = new Child<{ ask: ReceiveTask }, string>(script("webhooks/receive.ts"));
    bench.atEnd(() => receiver.stop());
    const url = await receiver.run({ ask: "where" });
    const deliver = async (backlog: Backlog) => {
      const task = { folder: bench.folder(), url, ...backlog };
      return rateOf(await runOnce<DeliverTask, TaskResult>(script("webhooks/deliver.ts"), task));
    };
    return [
      ...(wanted.has("P7") ? [await againstBarePosts(bench, url, deliver)] : []),
      ...(wanted.has("W1") ? [await byEndpoints(bench, deliver)] : []),
    ];
  },
};

async function againstBarePosts(
  bench: Bench,
  url: string,
  deliver: (backlog: Backlog) => Promise<number>,
): Promise<Measurement> {
  const eventsEach = DELIVERIES / ENDPOINTS;
  const backlog = { accounts: 1, endpointsEach: ENDPOINTS, eventsEach, warmUpEach: eventsEach / 2 };
  const { seconds } = bench.options;
  const task = { url, seconds, warmUpSeconds: seconds / 2, inFlight: IN_FLIGHT };
  const rounds = await interleave(bench, "deliveries", {
    reference: async () => rateOf(await runOnce<PostTask, TaskResult>(script("references/signed-posts.ts"), task)),
    measured: () => deliver(backlog),
  });
  return { goal: "P7", subject: "", unit: "deliveries/s", rounds };
}

/** As many deliveries to many endpoints as to few, each of an account of its own, over connections that are open. */
async function byEndpoints(bench: Bench, deliver: (backlog: Backlog) => Promise<number>): Promise<Measurement> {
  const to = (accounts: number) => {
    const eventsEach = DELIVERIES / accounts;
    return deliver({ accounts, endpointsEach: 1, eventsEach, warmUpEach: eventsEach / 2 });
  };
  const rounds = await interleave(bench, `deliveries to ${MANY} endpoints`, {
    reference: () => to(FEW),
    measured: () => to(MANY),
  });
  return { goal: "W1", subject: "", unit: "deliveries/s", rounds };
}
