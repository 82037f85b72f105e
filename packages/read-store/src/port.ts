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
  readonly writes: readonly Write[];
  /** Everything up to here is folded in. Only ever advances. */
  readonly checkpoint: bigint;
}

/** What the query side sees. Models are named `<projection>.<model>`; reads go to the live generation. */
export interface ReadModels {
  /** The public body of one document. */
  body(model: string, key: string): Promise<Body | undefined>;
  /** The whole document, as the projection left it. */
  document(model: string, key: string): Promise<Document | undefined>;
  /** One page of a list, through a declared index. */
  page(model: string, request: PageRequest): Promise<readonly PageItem[]>;
}

/** What the projector sees besides. */
export interface ReadStore extends ReadModels {
  /** A document of one generation, live or not. */
  documentOf(generation: Generation, model: string, key: string): Promise<Document | undefined>;
  /**
   * Writes all batches and their checkpoints. Where the engine has transactions this is one; where it has none, each
   * document is guarded by its position and the checkpoint is written last, so redelivery is harmless.
   */
  write(batches: readonly Batch[]): Promise<void>;
  checkpoint(generation: Generation): Promise<bigint>;
  /** The generation reads go to; undefined before the first. */
  live(projection: string): Promise<number | undefined>;
  /** All generations there are, live or not. */
  generations(projection: string): Promise<readonly number[]>;
  /** Reads go to this generation from now on: one step, for all readers. */
  switchLive(generation: Generation): Promise<void>;
  /** Forgets a generation that is not live. */
  drop(generation: Generation): Promise<void>;
  close(): Promise<void>;
}

export class ReadStoreUnavailable extends Error {
  override readonly name = "ReadStoreUnavailable";
}
