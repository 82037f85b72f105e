import { interleave } from "../bench.ts";
import { Child, runOnce } from "../children/child.ts";
import type { TaskResult } from "../store/tasks.ts";
import type { DeliverTask, PostTask } from "../webhooks/tasks.ts";
import type { Part } from "./part.ts";

const script = (path: string) => new URL(`../${path}`, import.meta.url);

/** As many connections as four endpoints may have. */
const IN_FLIGHT = 64;
const ENDPOINTS = 4;
const EVENTS = 5_000;

/** P7 */
export const deliveries: Part = {
  goals: ["P7"],
  async measure(bench) {
    const receiver = new Child<object, string>(script("webhooks/receive.ts"));
    bench.atEnd(() => receiver.stop());
    const url = await receiver.run({});
    const reference = async () => {
      const task = { url, seconds: bench.options.seconds, inFlight: IN_FLIGHT };
      const { events, seconds } = await runOnce<PostTask, TaskResult>(script("references/signed-posts.ts"), task);
      return events / seconds;
    };
    const measured = async () => {
      const task = { folder: bench.folder(), url, events: EVENTS, endpoints: ENDPOINTS };
      const { events, seconds } = await runOnce<DeliverTask, TaskResult>(script("webhooks/deliver.ts"), task);
      return events / seconds;
    };
    const rounds = await interleave(bench, "deliveries", { reference, measured });
    return [{ goal: "P7", subject: "", unit: "deliveries/s", rounds }];
  },
};
