import type { ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";

/** Lets one caller continue per turn of the event loop, so that other requests are served in between. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  next(): Promise<unknown> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }
}

/** The kernel accepts this many bytes in well under a millisecond. */
const PIECE_BYTES = 32_768;

const pieces = new Turns();

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    await pieces.next();
    yield bytes.subarray(at, at + PIECE_BYTES);
  }
}

/**
 * Ends a response with these bytes, without copying them. All such responses together write one piece per turn of the
 * event loop. However many clients ask for a page at once, other requests are served between two pieces.
 */
export function endInTurns(response: ServerResponse, bytes: Uint8Array): void {
  // A client that disconnects, now or before, is no error.
  if (!response.destroyed) pipeline(Readable.from(piecesOf(bytes)), response, () => undefined);
}
