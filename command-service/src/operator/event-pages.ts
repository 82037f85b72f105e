import { OperatorError } from "@travel-booking/http/operator";

/** Events in one answer. */
export const EVENTS = 50;
/** Characters of them after which earlier ones are left to another answer. */
const CHARACTERS = 262_144;

/** As many of the last as an answer takes, at least one. */
export function latestOf(events: readonly object[]): readonly object[] {
  let size = 0;
  const tooMany = events.findLastIndex((event) => {
    size += JSON.stringify(event).length;
    return size > CHARACTERS;
  });
  return events.slice(Math.min(tooMany + 1, events.length - 1));
}

type Query = Readonly<Record<string, string | undefined>>;

/** @throws OperatorError 400 */
export function revisionIn(query: Query, name: string): number | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new OperatorError(400, `${name} takes the revision of an event, from 0`);
}

/** @throws OperatorError 400 */
export function positionIn(query: Query, name: string): bigint | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  if (/^\d{1,20}$/.test(text)) return BigInt(text);
  throw new OperatorError(400, `${name} takes the position of an event`);
}
