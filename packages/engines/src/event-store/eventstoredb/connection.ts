import { setTimeout } from "node:timers/promises";
import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  type ResolvedEvent,
  StreamDeletedError,
  StreamNotFoundError,
} from "@eventstore/db-client";
import type { KnownLog } from "../known-log.ts";
import { type AppendResult, EventStoreUnavailable, WrongExpectedRevision } from "../port.ts";
import { AnotherLog } from "../same-log.ts";
import { AppendClient } from "./append-client.ts";
import type { AppendRequest } from "./append-messages.ts";
import { firstNode } from "./connection-string.ts";
import { StreamTombstoned, unavailable } from "./errors.ts";
import { Outage, type OutageObserver } from "./outage.ts";
import { collectEvents, eventIdAt, HeadFinder, type ReadDeadline } from "./reads.ts";
import { ResumingSubscription, type ResumingSubscriptionOptions, type SubscriptionStart } from "./subscription.ts";

export interface ConnectionOptions
  extends Omit<ResumingSubscriptionOptions, "deadline" | "head" | "outage" | "eventIdAt">,
    OutageObserver {
  readonly appendTimeoutMs: number;
  readonly readTimeoutMs: number;
}

/** Events that the client reads ahead in a stream. */
const READ_AHEAD = 500;
const CLOSE_TIMEOUT_MS = 2_000;
/** Real milliseconds between reads for an event that the server has reported. */
const FIRST_DELAY_MS = 2;
const MAX_DELAY_MS = 256;

/** What the client runs when a call has failed: it leaves a channel that is of no use any more. */
interface ErrorHandling {
  handleError(...failure: readonly unknown[]): Promise<void>;
}

/**
 * The client does not wait for its own handling of errors, which rejects where no other channel can be opened: without
 * a leader to be discovered, every call that fails would be an unhandled rejection, and end the process.
 */
function newClient(connectionString: string, onStrayError: (error: unknown) => void): EventStoreDBClient {
  const client = openClient(connectionString);
  const internals = client as unknown as ErrorHandling;
  const handleError = internals.handleError;
  internals.handleError = (...failure) => handleError(...failure).catch(onStrayError);
  return client;
}

function openClient(connectionString: string): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(connectionString);
  } catch (error) {
    throw unavailable(error);
  }
}

/** A node that has lost its leader answers other reads from what it has, and takes no append. */
async function readLast(client: EventStoreDBClient, deadline: ReadDeadline): Promise<void> {
  const last = client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader: true });
  await collectEvents(last, deadline);
}

/** The client with deadlines, the errors of this package, and subscriptions that resume. */
export class Connection {
  readonly #client: EventStoreDBClient;
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
    this.#client = newClient(connectionString, (error) => this.#outage.begin(unavailable(error)));
    this.#options = options;
    this.#deadline = { timeoutMs: options.readTimeoutMs, signal };
    this.#appends = new AppendClient(this.#client, options.appendTimeoutMs, () => this.#log.verify());
    this.#log = log;
    this.#head = new HeadFinder(this.#client, this.#deadline);
  }

  async append(request: AppendRequest): Promise<AppendResult> {
    if (this.#log.problem !== undefined) throw this.#log.problem;
    try {
      const { revision, position: acknowledged } = await this.#appends.append(request);
      this.#outage.end();
      const position = acknowledged ?? (await this.#positionOf(request.stream, revision));
      // Usually repeated, or overtaken by another answer.
      if (!this.#log.appended(position, request.events.at(-1)?.id ?? "")) await this.#verifyAfterAppend();
      return { revision, position };
    } catch (error) {
      if (error instanceof WrongExpectedRevision) await this.#waitUntilReadable(error);
      throw error;
    }
  }

  /** Empty if there is no such stream. */
  async readStream(stream: string, fromRevision: number, maxCount = Number.MAX_SAFE_INTEGER): Promise<ResolvedEvent[]> {
    if (this.#log.problem !== undefined) throw this.#log.problem;
    const options = { fromRevision: BigInt(fromRevision), maxCount, requiresLeader: true };
    try {
      return await collectEvents(
        this.#client.readStream(stream, options, { highWaterMark: READ_AHEAD }),
        this.#deadline,
      );
    } catch (error) {
      if (error instanceof StreamNotFoundError) return [];
      throw error instanceof StreamDeletedError ? new StreamTombstoned(stream) : unavailable(error);
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
    return eventIdAt(this.#client, position, this.#deadline);
  }

  /** @param after the log is compared with it where its id is given. */
  subscribe(after: SubscriptionStart, signal: AbortSignal): ResumingSubscription {
    const { backOff, idleTimeoutMs } = this.#options;
    const deadline = { ...this.#deadline, signal };
    return new ResumingSubscription(this.#client, after, {
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
      await Promise.race([readLast(this.#client, deadline), this.#refusalOfFirstNode(deadline)]);
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
      const client = newClient(this.#firstNode, () => undefined);
      try {
        await readLast(client, deadline);
      } catch (error) {
        const problem = unavailable(error);
        if (problem.isMisconfigured) throw problem;
      } finally {
        client.dispose().catch(() => undefined);
      }
    }
    return new Promise<never>(() => undefined);
  }

  /** The client waits for all of its calls without a limit. */
  async close(): Promise<void> {
    const disposed = new AbortController();
    const late = setTimeout(CLOSE_TIMEOUT_MS, undefined, { signal: disposed.signal });
    await Promise.race([this.#client.dispose(), late]);
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
    const position = events[0]?.event?.position;
    if (position === undefined) throw failed();
    return position.commit;
  }
}
