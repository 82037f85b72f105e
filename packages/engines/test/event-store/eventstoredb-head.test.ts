import streams from "@eventstore/db-client/generated/streams_pb.js";
import { expect, test } from "@jest/globals";
import type { Calls } from "../../src/event-store/eventstoredb/calls.ts";
import { HeadFinder } from "../../src/event-store/eventstoredb/reads.ts";
import { sent } from "./kit/sent-event.ts";

/** A log at whose positions from 1 on is an event of ours, and then foreign ones alone. */
class ForeignLog {
  /** The last position. */
  head = 1;
  reads = 0;
  /** Reads that are answered; the others never are. */
  answered = Number.POSITIVE_INFINITY;

  readonly calls = {
    read: (request: Buffer, _leader: boolean, take: (event: Buffer) => void, end: () => void) => {
      this.reads++;
      if (this.answered-- > 0) {
        const { all, count } = streams.ReadReq.deserializeBinary(request).toObject().options ?? {};
        const before = all?.position === undefined ? this.head + 1 : Number(all.position.commitPosition);
        for (let at = before - 1; at > Math.max(0, before - 1 - Number(count)); at--) take(sent(at, at === 1));
        end();
      }
      return { pause: () => undefined, resume: () => undefined, cancel: () => undefined };
    },
  } as unknown as Calls;
}

const finderOf = ({ calls }: ForeignLog) =>
  new HeadFinder(calls, { timeoutMs: 10_000, signal: new AbortController().signal });

test("a search goes on where those before it ran out of time, however many did, whatever was written since", async () => {
  const log = new ForeignLog();
  const signal = new AbortController().signal;
  const deadline = { timeoutMs: 50, signal };
  const finder = new HeadFinder(log.calls, deadline);
  for (const [written, answered] of [
    [6_000, 8],
    [600, 2],
    [600, 2],
  ] as const) {
    log.head += written;
    log.answered = answered;
    await expect(finder.find()).rejects.toThrow("no answer to a read within");
  }
  log.reads = 0;
  log.answered = Number.POSITIVE_INFINITY;
  deadline.timeoutMs = 60_000;
  expect(await finder.find()).toBe(1n);
  const resumed = log.reads;
  expect(await finderOf(log).find()).toBe(1n);
  expect(resumed).toBeLessThan(log.reads - resumed);
});
