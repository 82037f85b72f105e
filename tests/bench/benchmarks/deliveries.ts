import { type Bench, interleave } from "../bench.ts";
import { Child, runOnce } from "../children/child.ts";
import type { Measurement } from "../report/measurement.ts";
import type { TaskResult } from "../store/tasks.ts";
import type { DeliverTask, ReceiveTask } from "../webhooks/tasks.ts";
import type { Benchmark } from "./benchmark.ts";

const script = (path: string) => new URL(`../${path}`, import.meta.url);

/** Every measurement makes so many deliveries. */
const DELIVERIES = 20_000;
const FEW = 10;
const MANY = 1_000;

type Backlog = Pick<DeliverTask, "accounts" | "endpointsEach" | "eventsEach" | "warmUpEach">;

const rateOf = ({ events, seconds }: TaskResult) => events / seconds;

/** W1: how fast a backlog is delivered to many endpoints, by a receiver that takes everything. */
export const deliveries: Benchmark = {
  goals: ["W1"],
  async measure(bench) {
    const receiver = new Child<{ ask: ReceiveTask }, string>(script("webhooks/receive.ts"));
    bench.atEnd(() => receiver.stop());
    const url = await receiver.run({ ask: "where" });
    const deliver = async (backlog: Backlog) => {
      const task = { folder: bench.folder(), url, ...backlog };
      return rateOf(await runOnce<DeliverTask, TaskResult>(script("webhooks/deliver.ts"), task));
    };
    return [await byEndpoints(bench, deliver)];
  },
};

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
