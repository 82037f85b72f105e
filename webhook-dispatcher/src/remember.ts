/** Endpoints and accounts that anything is remembered of; of more, all are forgotten and looked up again. */
const MOST_REMEMBERED = 10_000;

/** Puts what was looked up where it is found the next time, within a bound. */
export function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  if (known.size >= MOST_REMEMBERED) known.clear();
  known.set(key, value);
}
