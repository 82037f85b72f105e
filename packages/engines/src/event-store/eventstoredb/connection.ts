import { setTimeout } from "node:timers/promises";
import type { KnownLog } from "../known-log.ts";
import { type AppendResult, EventStoreUnavailable, WrongExpectedRevision } from "../port.ts";
import { AnotherLog } from "../same-log.ts";
import { AppendClient } from "./append-client.ts";
import type { AppendRequest } from "./append-messages.ts";
import { Calls } from "./calls.ts";
import { firstNode } from "./connection-string.ts";
import { isStreamDeleted, StreamTombstoned, unavailable } from "./errors.ts";
import type { ReadEvent } from "./event-codec.ts";
import { Outage, type OutageObserver } from "./outage.ts";
import { allRequest, streamRequest } from "./read-messages.ts";
import { eventIdAt, HeadFinder, type ReadDeadline, readEvents } from "./reads.ts";
import { ResumingSubscription, type ResumingSubscriptionOptions, type SubscriptionStart } from "./subscription.ts";

export interface ConnectionOptions
  extends Omit<ResumingSubscriptionOptions, "deadline" | "head" | "outage" | "eventIdAt">,
    OutageObserver {
  readonly appendTimeoutMs: number;
  readonly readTimeoutMs: number;
}

const CLOSE_TIMEOUT_MS = 2_000;
/** Real milliseconds between reads for an event that the server has reported. */
const FIRST_DELAY_MS = 2;
const MAX_DELAY_MS = 256;

async function readLast(calls: Calls, deadline: ReadDeadline): Promise<void> {
  await readEvents(calls, allRequest("backwards", "end", 1), deadline);
}

/** The client with deadlines, the errors of this package, and subscriptions that resume. */
export class Connection {
  readonly #calls: Calls;
  readonly #options: ConnectionOptions;
  readonly #deadline: ReadDeadline;
  readonly #appends: AppendClient;
  readonly #head: HeadFinder;
  readonly #outage: Outage;
  /** Of a cluster that has not answered yet. */
  #firstNode: string | undefined;
  readonly #log: KnownLog;

  /**
   * @param signal ends reads.
   * @throws EventStoreUnavailable a file that the string names can't be read.
   */
  constructor(connectionString: string, options: ConnectionOptions, log: KnownLog, signal: AbortSignal) {
    const node = firstNode(connectionString);
    this.#firstNode = node === connectionString ? undefined : node;
    this.#outage = new Outage(options);
    this.#calls = new Calls(connectionString, (error) => this.#outage.begin(unavailable(error)));
    this.#options = options;
    this.#deadline = { timeoutMs: options.readTimeoutMs, signal };
    this.#appends = new AppendClient(this.#calls, options.appendTimeoutMs, () => this.#log.verify());
    this.#log = log;
    this.#head = new HeadFinder(this.#calls, this.#deadline);
  }

  async append(request: AppendRequest): Promise<AppendResult> {
    if (this.#log.problem !== undefined) throw this.#log.problem;
    try {
      const { revision, position: acknowledged } = await this.#appends.append(request);
      this.#outage.end();
      const position = acknowledged ?? (await this.#positionOf(request.stream, revision));
      // Usually repeated, or overtaken by another answer.
      if (!this.#log.appended(position, request.events.at(-1)?.id.text ?? "")) await this.#verifyAfterAppend();
      return { revision, position };
    } catch (error) {
      if (error instanceof WrongExpectedRevision) await this.#waitUntilReadable(error);
      throw error;
    }
  }

  /** Empty if there is no such stream. */
  async readStream(stream: string, fromRevision: number, maxCount = Number.MAX_SAFE_INTEGER): Promise<ReadEvent[]> {
    if (this.#log.problem !== undefined) throw this.#log.problem;
    try {
      return await readEvents(this.#calls, streamRequest(stream, fromRevision, maxCount), this.#deadline);
    } catch (error) {
      throw isStreamDeleted(error) ? new StreamTombstoned(stream) : unavailable(error);
    }
  }

  async head(): Promise<bigint> {
    try {
      const head = await this.#head.find();
      this.#outage.end();
      return head;
    } catch (error) {
      throw unavailable(error);
    }
  }

  async eventIdAt(position: bigint): Promise<string | undefined> {
    return eventIdAt(this.#calls, position, this.#deadline);
  }

  /** @param after the log is compared with it where its id is given. */
  subscribe(after: SubscriptionStart, signal: AbortSignal): ResumingSubscription {
    const { backOff, idleTimeoutMs } = this.#options;
    const deadline = { ...this.#deadline, signal };
    return new ResumingSubscription(this.#calls, after, {
      backOff,
      idleTimeoutMs,
      deadline,
      outage: this.#outage,
      head: () => this.head(),
      eventIdAt: (position) => this.eventIdAt(position),
    });
  }

  /**
   * @throws EventStoreUnavailable waiting does not help.
   * @throws AnotherLog
   */
  async ping(timeoutMs: number): Promise<boolean> {
    const deadline = { ...this.#deadline, timeoutMs };
    try {
      await Promise.race([readLast(this.#calls, deadline), this.#refusalOfFirstNode(deadline)]);
      this.#firstNode = undefined;
      await this.#log.verify();
      this.#outage.end();
      return true;
    } catch (error) {
      const problem = unavailable(error);
      if (problem.isMisconfigured || problem instanceof AnotherLog) throw problem;
      return false;
    }
  }

  /**
   * Rejects if it will never let us in, else never settles: discovery asks again and again, and keeps to itself why a
   * node did not answer, that its certificate is not trusted, say.
   */
  async #refusalOfFirstNode(deadline: ReadDeadline): Promise<never> {
    if (this.#firstNode !== undefined) {
      const calls = new Calls(this.#firstNode, () => undefined);
      try {
        await readLast(calls, deadline);
      } catch (error) {
        const problem = unavailable(error);
        if (problem.isMisconfigured) throw problem;
      } finally {
        calls.close().catch(() => undefined);
      }
    }
    return new Promise<never>(() => undefined);
  }

  /** The client waits for all calls without a limit. */
  async close(): Promise<void> {
    const disposed = new AbortController();
    const late = setTimeout(CLOSE_TIMEOUT_MS, undefined, { signal: disposed.signal });
    await Promise.race([this.#calls.close(), late]);
    disposed.abort();
  }

  /**
   * The conflicting append may not be readable yet: a caller that reads at once would find nothing new, and conflict
   * again. Bounded, as a deleted stream never becomes readable.
   */
  async #waitUntilReadable({ stream, expected, actual }: WrongExpectedRevision): Promise<void> {
    if (actual <= expected) return;
    for (let pause = FIRST_DELAY_MS; pause <= MAX_DELAY_MS; pause *= 2) {
      const read = await this.readStream(stream, actual, 1).catch(() => undefined);
      if (read?.length !== 0) return;
      await setTimeout(pause);
    }
  }

  /** What was appended is stored; whether in the right log is not known while the log can't be read. */
  async #verifyAfterAppend(): Promise<void> {
    await this.#log.verify().catch((cause: unknown) => {
      if (cause instanceof AnotherLog) throw cause;
      const message = "EventStoreDB stored an append, and the log can't be compared";
      throw new EventStoreUnavailable(message, { outcomeUnknown: true, cause });
    });
  }

  async #positionOf(stream: string, revision: number): Promise<bigint> {
    const failed = (cause?: unknown) =>
      new EventStoreUnavailable("EventStoreDB stored an append and did not say where", { outcomeUnknown: true, cause });
    const events = await this.readStream(stream, revision, 1).catch((error: unknown) => {
      throw failed(error);
    });
    const position = events[0]?.position;
    if (position === undefined) throw failed();
    return position.commit;
  }
}
