/** The partition of an index that lists all documents. */
export const ALL_PARTITION = "all";

/** Milliseconds since the epoch fit until the year 33658. */
const TIME_DIGITS = 15;
const REVISION_DIGITS = 10;

/**
 * A moment (milliseconds since the epoch) as text that sorts by time, then by id. Without an id, the text sorts before
 * all ids of that moment. Moments before the epoch count as the epoch.
 */
export function timeSortKey(at: number, id?: string): string {
  const time = String(Math.max(at, 0)).padStart(TIME_DIGITS, "0");
  return id === undefined ? time : `${time}/${id}`;
}

/** The revision of an event as text that sorts in the order of the stream. */
export function revisionSortKey(revision: number): string {
  return String(revision).padStart(REVISION_DIGITS, "0");
}

/** Key of a document that belongs to an account. Under another account the document is not found. */
export function ownedKey(accountId: string, id: string): string {
  return `${accountId}/${id}`;
}

/** The id of an `ownedKey`. Ids of accounts contain no slash. */
export function idOfOwnedKey(key: string): string {
  return key.slice(key.indexOf("/") + 1);
}
