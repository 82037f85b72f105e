import { setImmediate } from "node:timers/promises";
import type { EventStore, RecordedEvent } from "@travel-booking/engines/event-store";
import type { SealedWords } from "@travel-booking/read-models/sealed-words";
import { type FoldOptions, foldTogether, isHandled, writeFolded } from "./fold-together.ts";
import type { LiveProjectionGroup } from "./live-projection-group.ts";
import type { ProjectionFold } from "./projection-fold.ts";

/** Events read at once: few enough that most are garbage before the garbage collector would copy them. */
const MAX_EVENTS_READ = 500;
/**
 * Reads folded before a write: the more there are, the more of their documents share a page of the tree, and the more are
 * held. Fewer, where documents are large: a fold asks for a write then.
 */
const MAX_READS_UNWRITTEN = 8;

export interface CatchUpOptions extends FoldOptions {
  readonly eventStore: Pick<EventStore, "subscribe">;
  readonly words: Pick<SealedWords, "openBatches">;
  readonly signal: AbortSignal;
  /** Called after each batch of events, with some more than once where an event can't be handled. */
  readonly onFolded: (events: readonly RecordedEvent[]) => void;
  /** A fold is where the group is; false: it is not to join. */
  readonly mayJoin: (fold: ProjectionFold) => boolean | Promise<boolean>;
}

/** Lets folds catch up with a live group and join it. @throws AbortError */
export async function catchUpAndJoin(
  folds: readonly ProjectionFold[],
  group: LiveProjectionGroup,
  options: CatchUpOptions,
): Promise<void> {
  const running = new Set(folds);
  await catchUp(running, group.position, options);
  // A short second run handles what was appended during a long first one; the last events are folded while the group waits.
  await catchUp(running, group.position, options);
  await group.runBetweenBatches(async () => {
    await catchUp(running, group.position, options);
    for (const fold of running) if (await options.mayJoin(fold)) group.join(fold);
  });
}

/**
 * Brings folds to `target` or beyond: one subscription feeds them all. Those that an event stops leave the set.
 * @throws AbortError
 */
async function catchUp(running: Set<ProjectionFold>, target: bigint, options: CatchUpOptions): Promise<void> {
  const areAt = (position: bigint) => [...running].every(({ checkpoint }) => checkpoint.position >= position);
  while (!areAt(target)) {
    options.signal.throwIfAborted();
    const read = { position: 0n };
    const folds = [...running];
    if (await isHandled(() => foldInBatches(folds, target, options, read))) continue;
    for (const fold of folds) fold.reset();
    // The same once more, written batch by batch, past the place where one has failed.
    for await (const events of eventsFor(folds, options)) {
      await foldTogether(running, events, options);
      options.onFolded(events);
      if (areAt(read.position)) break;
    }
  }
}

/** A batch is written while the next is folded. @param read of the last event read */
async function foldInBatches(
  folds: readonly ProjectionFold[],
  target: bigint,
  options: CatchUpOptions,
  read: { position: bigint },
): Promise<void> {
  let writing: Promise<void> = Promise.resolve();
  let unwritten = 0;
  const write = async () => {
    await writing;
    writing = writeFolded(options.documents, folds);
    writing.catch(() => undefined);
    unwritten = 0;
  };
  try {
    for await (const events of eventsFor(folds, options)) {
      read.position = events.at(-1)?.position ?? read.position;
      for (const fold of folds) await fold.fold(events, write);
      unwritten += 1;
      const isLast = read.position >= target;
      if (isLast || unwritten >= MAX_READS_UNWRITTEN) await write();
      options.onFolded(events);
      if (isLast) break;
      await setImmediate();
    }
  } finally {
    await writing;
  }
}

/** The events that the one that is furthest behind has not written. */
function eventsFor(folds: readonly ProjectionFold[], { eventStore, words, signal }: CatchUpOptions) {
  const { position, id } = folds
    .map(({ checkpoint }) => checkpoint)
    .reduce((a, b) => (b.position < a.position ? b : a));
  const range = { after: position, afterEvent: id, signal, maxBatch: MAX_EVENTS_READ };
  return words.openBatches(eventStore.subscribe(range));
}
