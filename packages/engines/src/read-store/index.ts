import { setImmediate } from "node:timers/promises";
import type { LogMark } from "../log-mark.ts";
import { EngineUnavailable } from "../unavailable.ts";

/**
 * The place of a document in one of its model's lists. Each text must be storable (`isStorable`), and so must
 * partition, sort value and the document's key together.
 */
export interface IndexEntry {
  /** Filters the list, for example an account id. */
  readonly partition: string;
  /** Orders the list. Compared as text, by code point; unique within a partition. */
  readonly sort: string;
}

/** One document of a read model. */
export interface Document {
  /** Unique in its model. Documents of an account are keyed `<accountId>/<id>`. */
  readonly key: string;
  /** Position of the last event folded in. A write at or below the stored position changes nothing. */
  readonly position: bigint;
  /** Position of the event that created it, which orders lists by creation. */
  readonly created: bigint;
  /** The public JSON, sent as it is; null for a model that is never read by key. */
  readonly body: string | null;
  /** The state that the projection folds events into. JSON values only. */
  readonly state: unknown;
  readonly indexes: Readonly<Record<string, IndexEntry>>;
  /**
   * From this moment on (milliseconds since the epoch) the clock has to be applied to `body` before it is sent. Null:
   * never.
   */
  readonly staleAt: number | null;
  /** The key that seals the personal words. `SealedDocuments` sets it; no engine stores it. */
  readonly keyId?: string | undefined;
  /** Size of body and state as stored, in characters or bytes. Set by the engine that read them. */
  readonly size?: number;
}

export interface Body {
  readonly json: string;
  readonly staleAt: number | null;
  /** Characters of the body, as it is stored: told by the engine that has read it. */
  readonly size?: number;
}

export interface PageRequest {
  readonly index: string;
  readonly partition: string;
  readonly order: "ascending" | "descending";
  readonly limit: number;
  /** Exclusive: continue after this sort value, in the order of the request. */
  readonly after?: string;
  /** Inclusive lower bound of the sort value, whatever the order. */
  readonly from?: string;
  /** Exclusive upper bound of the sort value, whatever the order. */
  readonly before?: string;
}

export interface CountRequest extends Pick<PageRequest, "index" | "partition" | "from"> {
  /** The count stops at this number. */
  readonly limit: number;
}

export interface PageItem extends Body {
  readonly key: string;
  readonly sort: string;
  /** True if the page ends here because its bodies are large. More items may follow, even if more were asked for. */
  readonly more?: true;
}

/** A page ends after so many stored characters of bodies. */
export const MAX_PAGE_CHARACTERS = 1_048_576;

/** Documents are read for folding until they have so many stored characters together. */
export const MAX_FOLDED_CHARACTERS = 4_194_304;

export interface Put {
  readonly kind: "put";
  readonly model: string;
  readonly document: Document;
  /**
   * True if all puts of this document have the same index entries until it is deleted, and no other document ever has
   * them. An engine may store them once, with the put that creates the document. Reads then return empty `indexes`.
   */
  readonly fixedIndexes?: true;
}

/** Leaves a tombstone with its position, so that a late writer can't restore the document. */
export interface Delete {
  readonly kind: "delete";
  readonly model: string;
  readonly key: string;
  readonly position: bigint;
  /**
   * Created position and index entries of the document, if its puts had `fixedIndexes`. A document created above the
   * stored checkpoint is not stored yet, so an engine with transactions then has nothing to do.
   */
  readonly fixed?: Pick<Document, "created" | "indexes">;
}

export type Write = Put | Delete;

/** A build of a projection: its name, and a number that a rebuild increments. */
export interface Generation {
  readonly projection: string;
  readonly generation: number;
}

export interface Batch extends Generation {
  /**
   * No write has a position above `checkpoint`. Writes at or below the stored checkpoint change nothing. A document has
   * one write, or a delete followed by the put that creates it again.
   */
  readonly writes: readonly Write[];
  /** All events up to here are folded in. Never decreases. */
  readonly checkpoint: bigint;
  /** The id of the event at `checkpoint`, which identifies the log; absent: it is not known. */
  readonly checkpointEvent?: string | null;
}

export interface GenerationInfo {
  readonly generation: number;
  /** Version of the projection that built it. */
  readonly version: number;
  /** True if reads go to this generation. */
  readonly live: boolean;
}

/** The version that a release builds and reads, by projection. */
export type Versions = Readonly<Record<string, number>>;

/**
 * The read side. Models are named `<projection>.<model>`, and reads go to the live generation. If opened with
 * `Versions`, all reads throw `ReadStoreUnavailable` until the projection's live generation has its version.
 */
export interface ReadModels {
  /** The public body of one document. */
  body(model: string, key: string): Promise<Body | undefined>;
  /** The whole document, as the projection wrote it. */
  document(model: string, key: string): Promise<Document | undefined>;
  /** One page of a list. It has as many items as were asked for, unless the list ends or `more` ends the page. */
  page(model: string, request: PageRequest): Promise<readonly PageItem[]>;
  /** How many documents a list has, up to the limit. */
  count(model: string, request: CountRequest): Promise<number>;
  /**
   * Later reads see everything that was durable before this call. Reads in one turn of the event loop may share a
   * snapshot, so call this when another process or thread has written.
   */
  refresh(): void;
}

/** The write side, for the projector. It ends with the environment or the connection it was opened on. */
export interface ReadStore extends ReadModels {
  /**
   * Documents of any generation, in the order of `keys`; undefined for an unknown key. Where they are large, only those of
   * the first keys, of one at least.
   */
  documentsOf(
    generation: Generation,
    model: string,
    keys: readonly string[],
  ): Promise<readonly (Document | undefined)[]>;
  /**
   * Creates an empty generation with its checkpoint before the first event, above all others. Where several processes
   * share the store its number was never given before: who still builds one that was dropped writes nothing into it.
   */
  create(projection: string, version: number): Promise<Generation>;
  /**
   * Writes all batches and their checkpoints, in one transaction if the engine has transactions. Without them, a batch
   * of the live generation that was partly written is finished before anything of that generation is read for folding.
   * Durable when it resolves.
   * @param batches at most one of a generation.
   * @throws UnstorableKey nothing was written.
   * @throws UnknownGeneration nothing was written.
   */
  write(batches: readonly Batch[]): Promise<void>;
  /** The last folded event. @throws UnknownGeneration */
  checkpoint(generation: Generation): Promise<LogMark>;
  /** All generations, lowest first. A generation is listed until its last document is dropped. */
  generations(projection: string): Promise<readonly GenerationInfo[]>;
  /**
   * Switches the reads of all readers to this generation atomically; durable when it resolves. Its number must not be
   * lower than the live one's, nor its version where several processes share the store.
   * @throws UnknownGeneration
   */
  switchLive(generation: Generation): Promise<void>;
  /**
   * Removes a generation; an unknown one is no error. Nothing may be reading it. If the signal aborts, this may end
   * early, without an error, and the next `drop` removes the rest.
   * @throws GenerationInUse the generation is live.
   */
  drop(generation: Generation, signal?: AbortSignal): Promise<void>;
}

export class ReadStoreUnavailable extends EngineUnavailable {
  override readonly name = "ReadStoreUnavailable";
  override readonly engine = "the read models";
}

/** A write with a key that no engine stores. */
export class UnstorableKey extends Error {
  override readonly name = "UnstorableKey";
}

export class UnknownGeneration extends Error {
  override readonly name = "UnknownGeneration";

  constructor({ projection, generation }: Generation) {
    super(`projection ${projection} has no generation ${generation}`);
  }
}

export class GenerationInUse extends Error {
  override readonly name = "GenerationInUse";

  constructor({ projection, generation }: Generation) {
    super(`generation ${generation} of projection ${projection} is live`);
  }
}

/** Bytes in UTF-8. LMDB takes 1,978 with what is stored besides, MongoDB more, compatible servers fewer. */
const LONGEST_KEY = 1_900;

/** Whether the engines store a text as a key: well-formed, without U+0000, not too long. Others are never found. */
export function isStorable(key: string): boolean {
  return key !== "" && isWellFormed(key) && isShort(key);
}

/** @throws UnstorableKey */
export function checkKeys(write: Write): void {
  const key = keyOf(write);
  const places = write.kind === "put" ? Object.values(write.document.indexes) : [];
  const isPlace = ({ partition, sort }: IndexEntry) =>
    isStorable(partition) && isWellFormed(sort) && isShort(partition, sort, key);
  if (isStorable(key) && places.every(isPlace)) return;
  throw new UnstorableKey(`the key or a place of a document of ${write.model} can't be stored`);
}

/** Most are known to be without counting bytes: a character has three at most. */
function isShort(...parts: readonly string[]): boolean {
  const characters = parts.reduce((sum, { length }) => sum + length, 0);
  return 3 * characters <= LONGEST_KEY || Buffer.byteLength(parts.join("")) <= LONGEST_KEY;
}

function isWellFormed(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

export function keyOf(write: Write): string {
  return write.kind === "put" ? write.document.key : write.key;
}

export function positionOf(write: Write): bigint {
  return write.kind === "put" ? write.document.position : write.position;
}

/** A scan reads pages that grow by this factor, up to the maximum. */
const MAX_SCAN_PAGE = 1_000;
const GROWTH = 4;

/** A list from `request.after` on: first `request.limit` items, then ever more at a time. */
export async function* pagesOf(
  models: Pick<ReadModels, "page">,
  model: string,
  request: PageRequest,
): AsyncGenerator<readonly PageItem[]> {
  for (let range = request; ; ) {
    const page = await models.page(model, range);
    yield page;
    const last = page.at(-1);
    if (last === undefined || (page.length < range.limit && last.more === undefined)) return;
    range = { ...request, after: last.sort, limit: Math.min(range.limit * GROWTH, MAX_SCAN_PAGE) };
    // Other requests get their turn during a long scan.
    await setImmediate();
  }
}

/** Parses a stored body. */
export function parseBody<Value>({ json }: Pick<Body, "json">): Value {
  return JSON.parse(json) as Value;
}

/** Decimal digits of a 64-bit number. */
const DIGITS = 20;

/** A log position as text that sorts like the log. */
export function positionSort(position: bigint): string {
  return String(position).padStart(DIGITS, "0");
}
