import { EventEmitter, once } from "node:events";
import { type EventStore, type EventToAppend, START } from "@travel-booking/engines/event-store";
import { LMDB_EVENT_STORE_DATABASES, openLmdbEventStore } from "@travel-booking/engines/event-store/lmdb";
import { type Environment, openEnvironment } from "@travel-booking/engines/lmdb";
import {
  isSystem,
  LAST_REVISION,
  METADATA,
  type ProposedEvent,
  positionOf,
  type StoredEvent,
  TOMBSTONE,
} from "./stored-event.ts";
import { limitsOf, Stream } from "./stream.ts";

/** Where it is noted which positions a scavenge has removed. No client ever sees it. */
const SCAVENGES = "(scavenges)";

const SYSTEM_METADATA: EventToAppend["metadata"] = {
  accountId: null,
  actor: { kind: "system", id: "eventstoredb-double" },
  requestId: null,
  commandId: "",
  causationId: null,
};

/** As the embedded log keeps it, in JSON: bytes as base64. */
interface Body {
  readonly contentType: string;
  readonly data: string;
  readonly metadata: string;
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const bytes = (text: string) => Buffer.from(text, "base64");

/** All events, in memory, over the embedded log, which keeps them: what is in `events` survives SIGKILL. */
export class Log {
  readonly #environment: Environment;
  readonly #store: EventStore;
  readonly #streams = new Map<string, Stream>();
  readonly #grown = new EventEmitter();
  #events: StoredEvent[] = [];
  /** One writer: nobody is written before those who came earlier. */
  #turn: Promise<void> = Promise.resolve();

  private constructor(folder: string) {
    this.#environment = openEnvironment({ path: folder, maxDbs: LMDB_EVENT_STORE_DATABASES });
    this.#store = openLmdbEventStore(this.#environment, {
      onFatal(error) {
        throw error;
      },
    });
    this.#grown.setMaxListeners(0);
  }

  static async open(folder: string): Promise<Log> {
    const log = new Log(folder);
    await log.#load();
    return log;
  }

  /** Ordered by position. */
  get events(): readonly StoredEvent[] {
    return this.#events;
  }

  stream(name: string): Stream {
    const stream = this.#streams.get(name) ?? new Stream();
    this.#streams.set(name, stream);
    return stream;
  }

  /**
   * At the end of a stream. It counts as accepted at once, and is written when `mayWrite` resolves; resolves when it
   * is durable and everybody sees it.
   */
  async append(name: string, proposed: readonly ProposedEvent[], mayWrite?: Promise<void>): Promise<StoredEvent[]> {
    const stream = this.stream(name);
    const accepted = proposed.map(({ id }) => ({ id }));
    const expected = Number(stream.lastRevision);
    stream.accepted.push(...accepted);
    if (proposed.some(({ type }) => type === TOMBSTONE)) stream.tombstoned = true;
    this.#turn = this.#turn.then(() => mayWrite);
    await this.#turn;
    const at = Date.now();
    const { position } = await this.#store.append(
      name,
      expected,
      proposed.map(({ id, type, contentType, data, metadata }) => {
        const body: Body = { contentType, data: base64(data), metadata: base64(metadata) };
        return { id, type, version: 1, at, data: body, metadata: SYSTEM_METADATA };
      }),
    );
    const first = position - BigInt(proposed.length - 1);
    const stored = proposed.map((event, index) =>
      storedEvent(event, name, BigInt(expected + 1 + index), first + BigInt(index), at),
    );
    for (const [index, event] of stored.entries()) this.#publish(stream, expected + 1 + index, event);
    this.#grown.emit("grown");
    return stored;
  }

  /** Resolves when something was added, or the signal aborts. */
  async waitForGrowth(signal: AbortSignal): Promise<void> {
    await once(this.#grown, "grown", { signal }).catch(() => undefined);
  }

  /** As if something had been added. */
  wake(): void {
    this.#grown.emit("grown");
  }

  /** Calls back after each growth until the signal aborts. */
  onGrowth(listener: () => void, signal: AbortSignal): void {
    this.#grown.on("grown", listener);
    signal.addEventListener("abort", () => this.#grown.off("grown", listener), { once: true });
  }

  /** The index in `events` of the first one at a position or behind it. */
  indexOf(position: bigint): number {
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.position ?? 0n) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Removes the events that stream reads no longer give for good: they are in no read and no subscription any more. */
  async scavenge(): Promise<number> {
    const kept = new Set<StoredEvent>();
    for (const [name, stream] of this.#streams) {
      const readable = stream.tombstoned ? stored(stream).slice(-1) : (stream.readable() ?? []);
      for (const event of isSystem(name) ? stored(stream) : readable) kept.add(event);
    }
    const removed = this.#events.filter((event) => !kept.has(event)).map(({ position }) => position);
    await this.#recordScavenge(removed);
    this.#remove(new Set(removed));
    return removed.length;
  }

  async close(): Promise<void> {
    await this.#store.close();
    await this.#environment.close();
  }

  async #recordScavenge(removed: readonly bigint[]): Promise<void> {
    const stream = this.stream(SCAVENGES);
    const expected = Number(stream.lastRevision);
    const id = crypto.randomUUID();
    stream.accepted.push({ id });
    const data = removed.map(String);
    await this.#store.append(SCAVENGES, expected, [
      { id, type: "Scavenged", version: 1, at: Date.now(), data, metadata: SYSTEM_METADATA },
    ]);
  }

  #remove(positions: ReadonlySet<bigint>): void {
    this.#events = this.#events.filter(({ position }) => !positions.has(position));
    for (const { accepted } of this.#streams.values()) {
      for (const one of accepted) if (one.stored && positions.has(one.stored.position)) delete one.stored;
    }
  }

  #publish(stream: Stream, index: number, event: StoredEvent): void {
    const accepted = stream.accepted[index];
    if (accepted !== undefined) accepted.stored = event;
    this.#events.push(event);
    if (event.type === METADATA) this.stream(event.stream.slice(2)).limits = limitsOf(event.data);
  }

  async #load(): Promise<void> {
    const head = await this.#store.head();
    if (head === START) return;
    const loaded = new AbortController();
    for await (const batch of this.#store.subscribe({ after: START, signal: loaded.signal, maxBatch: 10_000 })) {
      for (const { stream: name, id, type, revision, position, at, data } of batch) {
        const stream = this.stream(name);
        stream.accepted.push({ id });
        if (name === SCAVENGES) this.#remove(new Set((data as string[]).map(BigInt)));
        else {
          const { contentType, ...body } = data as Body;
          const proposed = { id, type, contentType, data: bytes(body.data), metadata: bytes(body.metadata) };
          const event = storedEvent(proposed, name, BigInt(revision), position, at);
          if (type === TOMBSTONE) stream.tombstoned = true;
          this.#publish(stream, revision, event);
        }
        if (position >= head) loaded.abort();
      }
    }
  }
}

function storedEvent(
  event: ProposedEvent,
  stream: string,
  revision: bigint,
  place: bigint,
  created: number,
): StoredEvent {
  const { id, type, contentType, data, metadata } = event;
  const position = positionOf(place);
  const shown = type === TOMBSTONE ? LAST_REVISION : revision;
  return { id, type, contentType, data, metadata, stream, revision: shown, position, created };
}

function stored(stream: Stream): StoredEvent[] {
  return stream.accepted.flatMap(({ stored }) => stored ?? []);
}
