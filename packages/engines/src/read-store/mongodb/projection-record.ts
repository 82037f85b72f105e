/** A batch that is to be written whatever happens. */
export interface RedoEntry {
  /** Names its documents in the redo log. */
  readonly token: string;
  readonly parts: number;
  /** What the checkpoint is once they are written. */
  readonly checkpoint: bigint;
}

/** What is known of one build. */
export interface GenerationRecord {
  /** Counts all builds of a projection there ever were, so that no two share a collection, whatever their numbers. */
  readonly id: number;
  /** Version of the projection that built it. */
  readonly version: number;
  readonly checkpoint: bigint;
  /** Some documents of this batch may be written already; nothing else is, before all of them are. */
  readonly redo?: RedoEntry;
  /** Its documents are going: reads can't be switched to it any more. */
  readonly dropping?: true;
}

/**
 * All that is known of a projection besides its documents, in one document, so that which generation is live and how
 * far it has got are read in one step.
 */
export interface ProjectionRecord {
  /** Its name. */
  readonly _id: string;
  /** Number of the generation reads go to; null before the first. */
  readonly live: number | null;
  /** Id of the generation made last. */
  readonly last: number;
  /** By number. */
  readonly generations: Readonly<Record<string, GenerationRecord>>;
}

export function findGeneration(record: ProjectionRecord | undefined, generation: number): GenerationRecord | undefined {
  return record?.generations[generation];
}

export function liveGeneration(record: ProjectionRecord): GenerationRecord | undefined {
  return record.live === null ? undefined : findGeneration(record, record.live);
}
