import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { ReadReq } from "@eventstore/db-client/generated/streams_pb.js";
import type { EventStoreDbDouble } from "../double.ts";
import { isPosition } from "../log/stored-event.ts";
import { AllSubscription } from "./all-subscription.ts";
import { type Failure, invalid, NOT_READY, notLeader, REFUSALS, THROWN } from "./failures.ts";
import { confirmation, eventMessage, streamNotFound } from "./messages.ts";
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
  const { refusal } = double.faults;
  if (refusal !== null) return REFUSALS[refusal];
  const elsewhere = call.metadata.get("requires-leader")[0] === "true" ? notLeading(double) : undefined;
  if (elsewhere !== undefined) return elsewhere;
  try {
    return options.hasSubscription() ? await subscribe(double, call, options) : await readOnce(double, call, options);
  } catch {
    return THROWN;
  }
}

/** While nobody leads, a node alternates between not being ready and naming who led before, where it followed somebody. */
function notLeading({ faults: { isReady, leaderless, leader, reads } }: EventStoreDbDouble): Failure | undefined {
  if (!isReady || (leaderless && (leader === null || reads % 2 === 0))) return NOT_READY;
  return leader === null ? undefined : notLeader(leader);
}

async function readOnce(
  double: EventStoreDbDouble,
  call: ReadCall,
  options: ReadReq.Options,
): Promise<Failure | undefined> {
  const selection = select(double.log, options, double.faults.lastSeen);
  if (selection === "never answered") return void (await once(call, "cancelled"));
  if ("failure" in selection) return selection.failure;
  const messages =
    "missing" in selection
      ? [streamNotFound(selection.missing)]
      : [...selection.events.map(eventMessage), ...(selection.ending ?? [])];
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
  // As observed in the server: it looks for the first event at the position or behind it, and goes on after that one.
  const { log } = double;
  if (from !== undefined && from <= (log.events.at(-1)?.position ?? 0n) && !isPosition(from)) {
    await write(call, confirmation(randomUUID()));
    return invalid("InvalidPosition");
  }
  const next = from === undefined ? (all.hasEnd() ? log.events.length : 0) : log.indexOf(from) + 1;
  return new AllSubscription(double, call, options, from).run(next);
}
