import { setImmediate } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import type { Calls } from "../../src/event-store/eventstoredb/calls.ts";
import { Outage } from "../../src/event-store/eventstoredb/outage.ts";
import { resumingSubscription } from "../../src/event-store/eventstoredb/subscription.ts";
import { START } from "../../src/event-store/index.ts";
import { sent } from "./kit/sent-event.ts";

/** A server that sends events of a megabyte for as long as the client reads. */
class LargeLog {
  sent = 0;
  #take: (event: Buffer) => void = () => undefined;
  #isRead = true;

  readonly calls = {
    read: (_request: Buffer, _leader: boolean, take: (event: Buffer) => void) => {
      this.#take = take;
      void setImmediate().then(() => this.#send());
      return {
        pause: () => {
          this.#isRead = false;
        },
        resume: () => this.#send(),
        cancel: () => undefined,
      };
    },
  } as unknown as Calls;

  #send(): void {
    for (this.#isRead = true; this.#isRead; ) this.#take(sent(++this.sent, true, "x".repeat(1_000_000)));
  }
}

test("a subscription holds and gives few events where they are large", async () => {
  const log = new LargeLog();
  const { signal } = new AbortController();
  const batches = resumingSubscription(log.calls, {
    after: START,
    signal,
    maxBatch: 20,
    backOff: { initialMs: 1, maxMs: 1 },
    readTimeoutMs: 10_000,
    idleTimeoutMs: 10_000,
    log: { head: async () => START, eventIdAt: async () => undefined },
    outage: new Outage({ onProblem: () => undefined, onRecovered: () => undefined }),
  });
  for (const sentByThen of [10, 15]) {
    const { value } = await batches.next();
    expect([(value as readonly unknown[]).length, log.sent]).toStrictEqual([5, sentByThen]);
  }
  await batches.return(undefined);
});
