import { encodeCheckpointEvent } from "../checkpoint-event.ts";
import type { Batch, Generation } from "../index.ts";
import { nameOfGeneration } from "./collections.ts";
import type { DocumentWriter } from "./document-writer.ts";
import {
  type GenerationRecord,
  type ProjectionRecord,
  type ProjectionRecords,
  type RedoEntry,
  requireGeneration,
} from "./projection-records.ts";
import { changesOf, type RedoLog, type StoredChange } from "./redo-log.ts";

/**
 * Writes a batch as a whole, in four steps. Its changes go to the redo log; the generation's record names that entry;
 * the documents are written; the record gets the new checkpoint. After the second step every writer finishes the batch
 * before anything else, so concurrent writers help each other.
 */
export class BatchWriter {
  readonly #records: ProjectionRecords;
  readonly #redoLog: RedoLog;
  readonly #documents: DocumentWriter;

  constructor(records: ProjectionRecords, redoLog: RedoLog, documents: DocumentWriter) {
    this.#records = records;
    this.#redoLog = redoLog;
    this.#documents = documents;
  }

  /** @param record as read just before. @throws UnknownGeneration */
  async write(batch: Batch, record: ProjectionRecord | undefined): Promise<void> {
    let latest = record;
    while (!(await this.#tryWrite(batch, latest))) latest = await this.#records.find(batch.projection);
  }

  /** Finishes a batch that another process has begun. Returns the record afterwards. @throws UnknownGeneration */
  async recover(generation: Generation): Promise<GenerationRecord> {
    for (;;) {
      const known = await this.#records.known(generation);
      if (known.redo === undefined) return known;
      await this.#redo(generation, known, known.redo);
    }
  }

  /** False if another process has written meanwhile. Then read the record again. */
  async #tryWrite(batch: Batch, record: ProjectionRecord | undefined): Promise<boolean> {
    const known = requireGeneration(record, batch);
    if (known.redo !== undefined) {
      await this.#redo(batch, known, known.redo);
      return false;
    }
    const { checkpoint } = batch;
    if (checkpoint <= known.checkpoint) return true;
    const changes = changesOf(batch, known.checkpoint);
    if (changes.length > 0 && record?.live === batch.generation) return this.#tryWriteAtomically(batch, known, changes);
    // If its builder dies, a generation that is not live is rebuilt from the beginning.
    await this.#documents.write(known.id, changes);
    return this.#records.advance(batch, known, { checkpoint, checkpointEvent: encodeCheckpointEvent(batch) });
  }

  async #tryWriteAtomically(batch: Batch, known: GenerationRecord, changes: readonly StoredChange[]) {
    const name = nameOfGeneration(batch.projection, known.id);
    const logged = await this.#redoLog.append(name, changes);
    const redo = { ...logged, checkpoint: batch.checkpoint, checkpointEvent: encodeCheckpointEvent(batch) };
    const hasBegun = await this.#records.advance(batch, known, { redo });
    if (hasBegun) {
      await this.#documents.write(known.id, changes);
      await this.#records.finishRedo(batch, known, redo);
    }
    await this.#redoLog.remove(name, redo);
    return hasBegun;
  }

  async #redo(generation: Generation, known: GenerationRecord, redo: RedoEntry): Promise<void> {
    const { projection } = generation;
    const name = nameOfGeneration(projection, known.id);
    for (let part = 0; part < redo.parts; part++) {
      const changes = await this.#redoLog.read(name, redo, part);
      if (changes === undefined) {
        // Parts are removed after all are written, perhaps by another process.
        const { redo: latest } = await this.#records.known(generation);
        if (latest?.token !== redo.token) return;
        throw new Error(`a part of what was to be written to ${projection} is lost: rebuild it`);
      }
      await this.#documents.write(known.id, changes);
    }
    await this.#records.finishRedo(generation, known, redo);
    await this.#redoLog.remove(name, redo);
  }
}
