/** Endpoints and accounts that anything is remembered of; of more, all are forgotten and looked up again. */
const MAX_ENTRIES = 10_000;

/** Puts what was looked up where it is found the next time, within a bound. */
export function setBounded<Value>(known: Map<string, Value>, key: string, value: Value): void {
  if (known.size >= MAX_ENTRIES) known.clear();
  known.set(key, value);
}
