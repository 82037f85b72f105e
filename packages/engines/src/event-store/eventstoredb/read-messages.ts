import { decodeEvent, type ReadEvent } from "./event-codec.ts";
import { decodeReadAnswer, encodeRead, type LogPosition } from "./messages.ts";

export type LogPlace = LogPosition | "start" | "end";

/** All requests ask for ids as text. */
const uuids = { text: {} };

function placed(place: LogPlace): object {
  if (typeof place === "string") return { [place]: {} };
  return { position: { commit: String(place.commit), prepare: String(place.prepare) } };
}

export function streamRequest(name: string, revision: number, count: number): Buffer {
  return encodeRead({ options: { stream: { stream: { name }, revision }, count, noFilter: {}, uuids } });
}

/**
 * Reads events of all streams. The event at the place is included forwards, but not backwards.
 * @param count never 0, which the server does not answer.
 */
export function allRequest(direction: "forwards" | "backwards", place: LogPlace, count: number): Buffer {
  const backwards = direction === "backwards" ? 1 : 0;
  return encodeRead({ options: { all: placed(place), backwards, count, noFilter: {}, uuids } });
}

/** Leaves out system streams. */
const FILTER = {
  stream: { regex: "^[^$]" },
  /** Events that the server filters at once. */
  window: 512,
  /** Windows between two checkpoints, which show that the connection is alive while the filter passes nothing. */
  checkpointEvery: 8,
};

/** @param after the first event is the next one after this place. */
export function subscriptionRequest(after: LogPlace): Buffer {
  return encodeRead({ options: { all: placed(after), subscription: {}, filter: FILTER, uuids } });
}

/** "sign of life": a message without an event, such as a checkpoint. */
type ReadAnswer = ReadEvent | "caught up" | "sign of life";

export function decodeRead(bytes: Uint8Array): ReadAnswer {
  const { event, caughtUp } = decodeReadAnswer(bytes);
  if (event?.event) return decodeEvent(event.event);
  return caughtUp === null ? "sign of life" : "caught up";
}
