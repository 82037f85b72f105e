import { setTimeout as delay } from "node:timers/promises";
import { Child } from "../children/child.ts";
import type { ReceiveTask } from "../webhooks/tasks.ts";
import { posts } from "./commands.ts";
import type { CostBench, Measured } from "./cost-bench.ts";
import type { CostFigure } from "./goals.ts";

const LOOK_AGAIN_MS = 50;
/** Of each side: as many as stay in memory, since reading a stream again costs more than a delivery, with few changes each. */
const BOOKINGS = 8_000;

/** A change of a booking whose account has an endpoint, less a change where it has none: one event, one delivery. */
export function delivery(cost: CostBench): Promise<readonly CostFigure[]> {
  const receiver = new Child<{ ask: ReceiveTask }, string | number>(new URL("../webhooks/receive.ts", import.meta.url));
  cost.bench.atEnd(() => receiver.stop());
  return cost.withService(
    async (service, operations) => {
      const url = await receiver.run({ ask: "where" });
      const { accounts, confirmed } = cost.store.contents;
      const half = Math.floor(accounts.length / 2);
      const isSubscribed = (booking: number) => booking % accounts.length < half;
      for (const { apiKey } of accounts.slice(0, half)) {
        const answer = await fetch(`http://127.0.0.1:${service.port}/v1/webhook-endpoints`, {
          method: "POST",
          headers: { "x-api-key": apiKey, "content-type": "application/json" },
          body: JSON.stringify({ url, events: ["booking.changed"] }),
        });
        if (answer.status !== 201) throw new Error(`no endpoint: ${await answer.text()}`);
      }
      await service.idle();
      const changes = (of: (booking: number) => boolean): Measured => {
        const numbers = confirmed.filter(of).slice(0, BOOKINGS);
        return { ...posts(service, (count) => operations.change(count, numbers)), expectedStatus: 200 };
      };
      let sent = 0;
      const deliveredChanges = changes(isSubscribed);
      const waited: Measured = {
        ...deliveredChanges,
        requests: (count) => {
          sent += count;
          return deliveredChanges.requests(count);
        },
        // Asking the service how much is owed would cost it as much as some deliveries.
        idle: async () => {
          while (Number(await receiver.run({ ask: "how many" })) < sent) await delay(LOOK_AGAIN_MS);
          await service.idle();
        },
      };
      const [base = 0, without = 0, delivered = 0] = await cost.leastCosts("(c), change, delivered change", [
        await cost.validatedPost(),
        changes((booking) => !isSubscribed(booking)),
        waited,
      ]);
      const own = delivered - without;
      const detail = `(${delivered.toFixed(1)} − ${without.toFixed(1)}) µs ÷ ${base.toFixed(1)} µs`;
      return [{ goal: "delivery", value: own / base, detail }];
    },
    { WEBHOOK_ALLOW_PRIVATE_TARGETS: "true" },
  );
}
