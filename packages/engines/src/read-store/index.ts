import { EngineUnavailable } from "../unavailable.ts";

/** Where a document stands in one of its model's lists. */
export interface IndexEntry {
  /** What the list is filtered by, for example an account id. */
  readonly partition: string;
  /** Orders the list; compared as text, by code unit; unique inside a partition. */
  readonly sort: string;
}

/** One document of a read model. */
export interface Document {
  /** Unique in its model. What belongs to an account carries the account: `<accountId>/<id>`. */
  readonly key: string;
  /** Position of the last event folded in. A write with a position not above the stored one changes nothing. */
  readonly position: bigint;
  /** Position of the event that made it. Lists in the order of creation go by it. */
  readonly created: bigint;
  /** The public JSON, as text, sent as it is; null for a model nobody asks for by key. */
  readonly body: string | null;
  /** What the projection folds on. JSON values only. */
  readonly state: unknown;
  readonly indexes: Readonly<Record<string, IndexEntry>>;
  /** From this moment on (milliseconds since the epoch) `body` needs the clock applied before it is sent. Null: never. */
  readonly staleAt: number | null;
}

/** A stored body, ready to send. */
export interface Body {
  readonly json: Uint8Array;
  readonly staleAt: number | null;
}

export interface PageRequest {
  readonly index: string;
  readonly partition: string;
  readonly order: "ascending" | "descending";
  /** At most so many. */
  readonly limit: number;
  /** Exclusive: continue behind this sort value, in the order of the request. */
  readonly after?: string;
  /** Inclusive lower bound of the sort value, whatever the order. */
  readonly from?: string;
  /** Exclusive upper bound of the sort value, whatever the order. */
  readonly before?: string;
}

export interface PageItem extends Body {
  readonly key: string;
  readonly sort: string;
}

export type Write =
  | { readonly kind: "put"; readonly model: string; readonly document: Document }
  /** Leaves a tombstone with its position, so that a late writer revives nothing. */
  | { readonly kind: "delete"; readonly model: string; readonly key: string; readonly position: bigint };

/** Which build of a projection: its name, and a generation that a rebuild counts up. */
export interface Generation {
  readonly projection: string;
  readonly generation: number;
}

export interface Batch extends Generation {
  /**
   * None above `checkpoint`; those at or below the checkpoint already stored change nothing. What others of them follow
   * from comes last.
   */
  readonly writes: readonly Write[];
  /** Everything up to here is folded in. Only ever advances. */
  readonly checkpoint: bigint;
}

/** What is known of one build. */
export interface GenerationInfo {
  readonly generation: number;
  /** Version of the projection that built it. */
  readonly version: number;
  /** Reads go to it. */
  readonly live: boolean;
}

/** What the query side sees. Models are named `<projection>.<model>`; reads go to the live generation. */
export interface ReadModels {
  /** The public body of one document. */
  body(model: string, key: string): Promise<Body | undefined>;
  /** The whole document, as the projection left it. */
  document(model: string, key: string): Promise<Document | undefined>;
  /** One page of a list, through a declared index. */
  page(model: string, request: PageRequest): Promise<readonly PageItem[]>;
  /**
   * Reads begun from now on see everything that was durable before this call. An engine may answer reads of one turn
   * of the event loop from one snapshot: call this on hearing of a write made elsewhere, before reading it.
   */
  refresh(): void;
}

/** What the projector sees besides. */
export interface ReadStore extends ReadModels {
  /** Documents of one generation, live or not, in the order of `keys`; undefined where there is none. */
  documentsOf(
    generation: Generation,
    model: string,
    keys: readonly string[],
  ): Promise<readonly (Document | undefined)[]>;
  /** Makes an empty generation, its checkpoint before the first event. One that exists is left as it is. */
  create(generation: Generation, version: number): Promise<void>;
  /**
   * Writes all batches and their checkpoints. Where the engine has transactions this is one; where it has none, each
   * document is guarded by its position and the checkpoint is written last, so redelivery is harmless. Resolves once
   * it is durable.
   * @throws KeyTooLong nothing was written.
   * @throws UnknownGeneration nothing was written.
   */
  write(batches: readonly Batch[]): Promise<void>;
  /** @throws UnknownGeneration */
  checkpoint(generation: Generation): Promise<bigint>;
  /** All generations there are, lowest first. One is listed until the last of it is dropped. */
  generations(projection: string): Promise<readonly GenerationInfo[]>;
  /**
   * Reads go to this generation from now on: one step, for all readers, durable when it resolves.
   * @throws UnknownGeneration
   */
  switchLive(generation: Generation): Promise<void>;
  /**
   * Forgets a generation bit by bit; one that does not exist is forgotten already. Nobody may be reading it any more.
   * Ends early, without an error, when the signal aborts: what is left goes with the next `drop`.
   * @throws GenerationInUse it is live.
   */
  drop(generation: Generation, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export class ReadStoreUnavailable extends EngineUnavailable {
  override readonly name = "ReadStoreUnavailable";
  override readonly engine = "the read models";
}

/** A key, or a partition with its sort value, that is longer than an engine can store. Reading one finds nothing. */
export class KeyTooLong extends Error {
  override readonly name = "KeyTooLong";
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

/** What a stored body says, as the projection wrote it. */
export function parseBody<Value>({ json }: Pick<Body, "json">): Value {
  return JSON.parse(Buffer.from(json).toString()) as Value;
}

/** A position is a 64-bit number. */
const DIGITS = 20;

/** A log position as text that sorts as the log does: lists ordered by creation neither skip nor repeat. */
export function positionSort(position: bigint): string {
  return String(position).padStart(DIGITS, "0");
}
