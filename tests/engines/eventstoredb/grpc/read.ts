import type { ReadReq } from "@eventstore/db-client/generated/streams_pb.js";
import type { EventStoreDbDouble } from "../double.ts";
import { isPosition } from "../log/stored-event.ts";
import { AllSubscription } from "./all-subscription.ts";
import { type Failure, invalid, NOT_READY, REFUSALS } from "./failures.ts";
import { eventMessage, streamNotFound } from "./messages.ts";
import { type ReadCall, write } from "./read-call.ts";
import { select } from "./selection.ts";

/** Streams and `$all` in both directions, and subscriptions to `$all`. */
export function read(double: EventStoreDbDouble) {
  return async (call: ReadCall) => {
    const options = call.request.getOptions();
    const failure = options === undefined ? invalid("no options") : await answer(double, call, options);
    if (failure === undefined) call.end();
    else call.emit("error", failure);
  };
}

async function answer(
  double: EventStoreDbDouble,
  call: ReadCall,
  options: ReadReq.Options,
): Promise<Failure | undefined> {
  double.faults.reads++;
  const { isReady, leaderless, refusal } = double.faults;
  if (refusal !== null) return REFUSALS[refusal];
  const requiresLeader = call.metadata.get("requires-leader")[0] === "true";
  if (!isReady || (leaderless && requiresLeader)) return NOT_READY;
  if (options.hasSubscription()) return subscribe(double, call, options);
  const selection = select(double.log, options);
  if ("failure" in selection) return selection.failure;
  const messages = "missing" in selection ? [streamNotFound(selection.missing)] : selection.events.map(eventMessage);
  for (const message of messages) {
    if (call.cancelled) break;
    await write(call, message);
  }
  return undefined;
}

async function subscribe(
  double: EventStoreDbDouble,
  call: ReadCall,
  options: ReadReq.Options,
): Promise<Failure | undefined> {
  const all = options.getAll();
  if (all === undefined) return invalid("only subscriptions to $all");
  const after = all.getPosition();
  const from = after === undefined ? undefined : BigInt(after.getCommitPosition());
  if (from !== undefined && !isPosition(from)) return invalid("InvalidPosition");
  // As observed in the server: it looks for the first event at the position or behind it, and goes on after that one.
  const { log } = double;
  const next = from === undefined ? (all.hasEnd() ? log.events.length : 0) : log.indexOf(from) + 1;
  return new AllSubscription(double, call, options).run(next);
}
