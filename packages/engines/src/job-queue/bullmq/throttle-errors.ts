const THROTTLE_MS = 30_000;
const MAX_KINDS = 100;

/** Tells a problem of one kind no more than once in half a minute: a worker without its server has one after the other. */
export function throttleErrors(tell: (error: Error) => void): (error: Error) => void {
  const toldAt = new Map<string, number>();
  return (error) => {
    const now = performance.now();
    const last = toldAt.get(error.message);
    if (last !== undefined && now - last < THROTTLE_MS) return;
    if (toldAt.size === MAX_KINDS) toldAt.clear();
    toldAt.set(error.message, now);
    tell(error);
  };
}
