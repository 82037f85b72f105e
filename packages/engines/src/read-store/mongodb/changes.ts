import type { Batch, Write } from "../port.ts";
import { keyOf, positionOf, type Stored, toStored } from "./stored-document.ts";

/** A document, or the end of one, as it is to be stored in its model's collection. */
export interface StoredChange {
  readonly model: string;
  readonly stored: Stored;
}

/**
 * What a batch changes: of several writes of one key that with the highest position, of several at one position the
 * first. What is at or below the checkpoint is folded in already. Models stand together.
 */
export function changesOf({ writes }: Batch, checkpoint: bigint): readonly Write[] {
  const models = new Map<string, Map<string, Write>>();
  for (const write of writes) {
    if (positionOf(write) <= checkpoint) continue;
    const changes = models.get(write.model) ?? new Map<string, Write>();
    models.set(write.model, changes);
    const before = changes.get(keyOf(write));
    if (before === undefined || positionOf(before) < positionOf(write)) changes.set(keyOf(write), write);
  }
  return [...models.values()].flatMap((changes) => [...changes.values()]);
}

/** In pieces of so many documents, or of roughly so many characters, made as they are asked for. */
export function* chunksOf(
  changes: Iterable<StoredChange>,
  most: { readonly documents: number; readonly characters: number },
): Generator<readonly StoredChange[]> {
  let piece: StoredChange[] = [];
  let characters = 0;
  for (const change of changes) {
    piece.push(change);
    if ("state" in change.stored) characters += change.stored.state.length + (change.stored.body?.length ?? 0);
    if (piece.length < most.documents && characters < most.characters) continue;
    yield piece;
    piece = [];
    characters = 0;
  }
  if (piece.length > 0) yield piece;
}

/** As they are asked for: a large batch is not in memory twice. */
export function* toStoredChanges(changes: Iterable<Write>): Generator<StoredChange> {
  for (const write of changes) yield { model: write.model, stored: toStored(write) };
}
