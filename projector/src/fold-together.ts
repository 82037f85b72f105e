import type { RecordedEvent } from "@travel-booking/engines/event-store";
import { UnstorableKey } from "@travel-booking/engines/read-store";
import type { SkippedEvents } from "@travel-booking/read-models/control";
import type { SealedDocuments } from "@travel-booking/read-models/sealed-words";
import { ProjectionFault, type ProjectionFold } from "./projection-fold.ts";

export interface FoldOptions {
  readonly documents: Pick<SealedDocuments, "write">;
  /** Asked about each event that a projection can't handle. */
  readonly skippedEvents: Pick<SkippedEvents, "has">;
  /** An event has stopped a fold. */
  readonly onPoison: (fold: ProjectionFold, poison: PoisonEvent) => void | Promise<void>;
}

/** An event that a projection can't handle. */
export interface PoisonEvent {
  readonly event: RecordedEvent;
  readonly error: Error;
}

/** False: a projection is at fault, not an engine. */
export async function isHandled(work: () => Promise<void>): Promise<boolean> {
  return (await faultOf(work)) === undefined;
}

async function faultOf(work: () => Promise<void>): Promise<Error | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof ProjectionFault || error instanceof UnstorableKey) return error;
    throw error;
  }
}

/** Writes what is folded by now, all at once. The write before must have ended. @throws ProjectionFault */
export async function writeFolded(
  documents: FoldOptions["documents"],
  folds: readonly ProjectionFold[],
): Promise<void> {
  const taken = folds.map((fold) => ({ fold, batch: fold.takeBatch() }));
  await documents.write(taken.map(({ batch }) => batch));
  for (const { fold, batch } of taken) fold.markWritten(batch);
}

/** Folds events and writes what results. What an event stops leaves the set; what was before the event is written. */
export async function foldTogether(
  folds: Set<ProjectionFold>,
  events: readonly RecordedEvent[],
  options: FoldOptions,
): Promise<void> {
  const sound: ProjectionFold[] = [];
  const suspects: ProjectionFold[] = [];
  for (const fold of folds) {
    const isSound = await isHandled(() => fold.fold(events, () => writeFolded(options.documents, [fold])));
    (isSound ? sound : suspects).push(fold);
  }
  if (!(await isHandled(() => writeFolded(options.documents, sound)))) suspects.push(...sound);
  for (const fold of suspects) {
    const poison = await foldOneByOne(fold, events, options);
    if (poison === undefined) continue;
    folds.delete(fold);
    await options.onPoison(fold, poison);
  }
}

/** Returns the first event that the projection can't handle, unless it is skipped. */
async function foldOneByOne(
  fold: ProjectionFold,
  events: readonly RecordedEvent[],
  { documents, skippedEvents }: FoldOptions,
): Promise<PoisonEvent | undefined> {
  fold.reset();
  for (const event of events) {
    if (event.position <= fold.checkpoint.position) continue;
    const write = () => writeFolded(documents, [fold]);
    const error = await faultOf(async () => {
      await fold.fold([event], write);
      await write();
    });
    if (error === undefined) continue;
    fold.reset();
    if (!(await skippedEvents.has(fold.projection.name, event.id))) return { event, error };
    fold.reset(event);
    await writeFolded(documents, [fold]);
  }
  return undefined;
}
