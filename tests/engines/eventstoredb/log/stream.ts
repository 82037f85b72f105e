import { LAST_REVISION, type StoredEvent } from "./stored-event.ts";

/** What a stream's metadata says about which of its events may be read. */
export interface StreamLimits {
  readonly maxCount?: number;
  /** In seconds. */
  readonly maxAge?: number;
  /** Events before this revision are cut off. */
  readonly truncateBefore?: bigint;
}

/** An event that was accepted; `stored` is there once it is durable. */
export interface Accepted {
  readonly id: string;
  stored?: StoredEvent;
}

/** One stream, with what is accepted and not durable yet. */
export class Stream {
  readonly accepted: Accepted[] = [];
  limits: StreamLimits = {};
  tombstoned = false;

  /** Of the last event that was accepted; -1 where there is none. */
  get lastRevision(): bigint {
    return BigInt(this.accepted.length) - 1n;
  }

  /** Of the last event that is durable; -1 where there is none. */
  get lastStoredRevision(): bigint {
    return BigInt(this.accepted.findLastIndex(({ stored }) => stored !== undefined));
  }

  get isSoftDeleted(): boolean {
    return this.limits.truncateBefore === LAST_REVISION;
  }

  /** What a reader of the stream gets, oldest first. Undefined: there is no such stream. */
  readable(): StoredEvent[] | undefined {
    const stored = this.accepted.flatMap(({ stored }) => stored ?? []);
    if (stored.length === 0 || this.isSoftDeleted) return undefined;
    const { maxCount, maxAge, truncateBefore = 0n } = this.limits;
    const youngest = stored.slice(maxCount === undefined ? 0 : -maxCount);
    return youngest.filter(
      ({ revision, created }) =>
        revision >= truncateBefore && (maxAge === undefined || created > Date.now() - maxAge * 1_000),
    );
  }
}

/** The limits in the body of a metadata event, which anybody may have written: none where it can't be read. */
export function limitsOf(body: Uint8Array): StreamLimits {
  // A number of 64 bits does not survive JSON.parse.
  const text = Buffer.from(body).toString("utf8");
  const truncated = /"\$tb"\s*:\s*(\d+)/.exec(text)?.[1];
  const { $maxCount: maxCount, $maxAge: maxAge } = fieldsOf(text);
  return {
    ...(typeof maxCount === "number" ? { maxCount } : {}),
    ...(typeof maxAge === "number" ? { maxAge } : {}),
    ...(truncated === undefined ? {} : { truncateBefore: BigInt(truncated) }),
  };
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
