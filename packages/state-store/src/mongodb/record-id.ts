import { decodeText, encodeText } from "@travel-booking/mongodb-connection";

/** Between space and key; the escaping of the space leaves none in it. */
const SEPARATOR = "/";
/** What sorts right behind the separator. */
const BEHIND = "0";

/** The id a record is stored under. Ids of one space sort as its keys do. */
export function idOf(space: string, key: string): string {
  return `${encodeURIComponent(space)}${SEPARATOR}${encodeText(key)}`;
}

export function keyOf(space: string, id: string): string {
  return decodeText(id.slice(encodeURIComponent(space).length + SEPARATOR.length));
}

/** The ids of a space, behind a key where one is given. */
export function idsOf(space: string, after: string | undefined) {
  const range = { $lt: `${encodeURIComponent(space)}${BEHIND}` };
  return after === undefined ? { ...range, $gte: idOf(space, "") } : { ...range, $gt: idOf(space, after) };
}
