import { setTimeout as delay } from "node:timers/promises";
import { Child } from "../children/child.ts";
import type { ReceiveTask } from "../webhooks/tasks.ts";
import { posts } from "./commands.ts";
import type { Measured } from "./meter.ts";
import { least, type Row } from "./row.ts";
import type { Side } from "./side.ts";

const LOOK_AGAIN_MS = 50;
/** Of each side: as many as stay in memory, since reading a stream again costs more than a delivery, with few changes each. */
const BOOKINGS = 8_000;

/** CPU in microseconds. */
interface Round {
  readonly base: number;
  readonly without: number;
  readonly delivered: number;
}

/** A change of a booking whose account has an endpoint, less a change where it has none: one event, one delivery. */
export async function delivery(side: Side): Promise<Row> {
  const { bench, meter } = side;
  const receiver = new Child<{ ask: ReceiveTask }, string | number>(new URL("../webhooks/receive.ts", import.meta.url));
  bench.atEnd(() => receiver.stop());
  const { service, operations } = await side.start({ WEBHOOK_ALLOW_PRIVATE_TARGETS: "true" });
  const url = await receiver.run({ ask: "where" });
  const { accounts, confirmed } = side.store.contents;
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
  const plain = changes((booking) => !isSubscribed(booking));
  const subscribed = changes(isSubscribed);
  const waited: Measured = {
    ...subscribed,
    requests: (count) => {
      sent += count;
      return subscribed.requests(count);
    },
    // Asking the service how much is owed would cost it as much as some deliveries.
    idle: async () => {
      while (Number(await receiver.run({ ask: "how many" })) < sent) await delay(LOOK_AGAIN_MS);
      await service.idle();
    },
  };
  await meter.warmUp(plain);
  await meter.warmUp(waited);
  return {
    async measure(round): Promise<Round> {
      const base = await side.validatedPostCpu(round);
      const without = await meter.cpuOf(plain);
      const delivered = await meter.cpuOf(waited);
      const costs = `${without.each.toFixed(1)} (${without.byThread}), ${delivered.each.toFixed(1)} (${delivered.byThread})`;
      bench.say(`(c), change, delivered change, round ${round}: ${base.toFixed(1)}, ${costs} µs`);
      return { base, without: without.each, delivered: delivered.each };
    },
    figures(rounds: readonly Round[]) {
      const [base, without, delivered] = [least(rounds, "base"), least(rounds, "without"), least(rounds, "delivered")];
      const detail = `(${delivered.toFixed(1)} − ${without.toFixed(1)}) µs ÷ ${base.toFixed(1)} µs`;
      return [{ goal: "delivery", value: (delivered - without) / base, detail }];
    },
  };
}
