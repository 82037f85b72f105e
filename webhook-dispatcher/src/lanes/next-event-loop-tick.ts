let next: Promise<void> | undefined;

/**
 * Resolves when the event loop has come round, at once for all who wait. Those whose answers came in one turn then go
 * on together, step by step: a dozen doing the same thing in a row are a fifth faster than each doing everything alone.
 */
export function nextEventLoopTick(): Promise<void> {
  next ??= new Promise((resolve) => {
    setImmediate(() => {
      next = undefined;
      resolve();
    });
  });
  return next;
}
