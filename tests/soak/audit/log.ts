import { type EventStore, type RecordedEvent, START } from "@travel-booking/engines/event-store";
import type { LedgerEntry } from "@travel-booking/payment-gateway/sandbox";
import { Audit } from "../../simulation/audit/audit.ts";
import { InvariantViolation } from "../../simulation/audit/invariant.ts";
import type { Sold } from "../../simulation/audit/sold.ts";
import type { Findings } from "./findings.ts";

/**
 * The log alone, read by the simulation's audit: seats, money, points and the gateway's books.
 * @param at the moment by the service's clock; nothing may be under way or due any more.
 */
export async function auditLog(
  events: EventStore,
  ledger: readonly LedgerEntry[],
  sold: Sold,
  at: number,
): Promise<Findings> {
  const audit = new Audit(sold);
  try {
    for await (const append of appendsOf(events)) audit.applyEvents(append);
    audit.checkFinalState(ledger, at);
    return [];
  } catch (error) {
    if (!(error instanceof InvariantViolation)) throw error;
    return [`the log: ${error.message}`];
  }
}

/** The events of each command on each stream: they follow each other, because an append is stored as one. */
async function* appendsOf(events: EventStore): AsyncGenerator<readonly RecordedEvent[]> {
  const head = await events.head();
  const end = new AbortController();
  let append: RecordedEvent[] = [];
  for await (const batch of events.subscribe({ after: START, signal: end.signal })) {
    for (const event of batch) {
      const [last] = append;
      if (last !== undefined && !(last.stream === event.stream && isSameCommand(last, event))) {
        yield append;
        append = [];
      }
      append.push(event);
    }
    if ((batch.at(-1)?.position ?? START) >= head) end.abort();
  }
  if (append.length > 0) yield append;
}

function isSameCommand(one: RecordedEvent, other: RecordedEvent): boolean {
  return one.metadata.commandId === other.metadata.commandId;
}
