import type { EventStoreDbDouble } from "../double.ts";
import { decideAppend, type ExpectedRevision } from "../log/expected-revision.ts";
import { LAST_REVISION, METADATA, metastreamOf, type ProposedEvent, sizeOf } from "../log/stored-event.ts";
import { systemEvent } from "../log/system-events.ts";

export interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly ProposedEvent[];
  /** Milliseconds since the epoch: the server tells by its own clock what came too late. */
  readonly deadline?: number;
}

export type AppendAnswer =
  /** Revision -1: nothing was appended, and there is no stream. */
  | { readonly kind: "stored"; readonly revision: bigint; readonly position: bigint | undefined }
  /** -1: the stream has no events. */
  | { readonly kind: "wrong version"; readonly actual: bigint }
  | { readonly kind: "deleted" }
  | { readonly kind: "time-out" }
  | { readonly kind: "too large" }
  | { readonly kind: "not ready" }
  /** Something that must have a name has none. */
  | { readonly kind: "bad request" }
  | { readonly kind: "access denied" };

/** Appends as the faults allow. Undefined: there is no answer, ever. */
export async function answerAppend(
  double: EventStoreDbDouble,
  request: AppendRequest,
): Promise<AppendAnswer | undefined> {
  const { log, faults, options } = double;
  const fault = faults.next();
  if (!faults.isReady || faults.leaderless) return { kind: "not ready" };
  if (faults.refusal !== null) return { kind: "access denied" };
  if (fault === "swallow") return undefined;
  if (request.stream === "" || request.events.some(({ type }) => type === "")) return { kind: "bad request" };
  if (sizeOf(request.events) > options.maxAppendSize) return { kind: "too large" };
  if (request.deadline !== undefined && request.deadline <= Date.now()) return { kind: "time-out" };
  const stream = log.stream(request.stream);
  const verdict = decideAppend(
    stream,
    request.expected,
    request.events.map(({ id }) => id),
  );
  if (verdict.kind === "deleted") return verdict;
  if (verdict.kind === "wrong version") return { kind: "wrong version", actual: stream.lastRevision };
  if (verdict.kind === "repeated") return stored(verdict.last.revision, verdict.last.position);
  if (verdict.kind === "under way") {
    await new Promise((resolve) => setTimeout(resolve, options.writeTimeoutMs));
    return { kind: "time-out" };
  }
  if (request.events.length === 0) return stored(stream.lastRevision, undefined);
  const released = faults.released;
  const revived = stream.isSoftDeleted ? stream.lastRevision + 1n : undefined;
  const appending = log.append(request.stream, request.events, fault === "hold write" ? released : undefined);
  if (revived !== undefined) await revive(double, request.stream, revived);
  const last = (await appending).at(-1);
  if (fault === "hold answer") await released;
  if (fault === "lose answer" || last === undefined) return undefined;
  return stored(last.revision, fault === "no position" ? undefined : last.position);
}

/** Answers the position of the deletion. */
export async function softDelete({ log }: EventStoreDbDouble, stream: string): Promise<bigint> {
  // Written out: it is too large for a number.
  const data = Buffer.from(`{"$tb":${LAST_REVISION}}`);
  const [deletion] = await log.append(metastreamOf(stream), [{ ...systemEvent(METADATA, {}), data }]);
  return deletion?.position ?? 0n;
}

async function revive({ log }: EventStoreDbDouble, stream: string, truncateBefore: bigint): Promise<void> {
  await log.append(metastreamOf(stream), [systemEvent(METADATA, { $tb: Number(truncateBefore) })]);
}

function stored(revision: bigint, position: bigint | undefined): AppendAnswer {
  return { kind: "stored", revision, position };
}
