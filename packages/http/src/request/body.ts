import type { IncomingMessage } from "node:http";

/** Largest body of a request, in bytes. */
export const MAX_BODY_BYTES = 1_048_576;
/** So much of a body that is too large is read and thrown away, so that its sender gets to read the answer. */
const MAX_DRAINED = 16 * MAX_BODY_BYTES;

export type BodyRead =
  | { readonly kind: "read"; readonly bytes: Buffer }
  | { readonly kind: "too_large" }
  /** The client went away before the end. */
  | { readonly kind: "aborted" };

const EMPTY: BodyRead = { kind: "read", bytes: Buffer.alloc(0) };
const TOO_LARGE: BodyRead = { kind: "too_large" };
const ABORTED: BodyRead = { kind: "aborted" };

/** Reads the body, holding at most `largest` bytes. Never rejects. */
export function readBody(request: IncomingMessage, largest: number = MAX_BODY_BYTES): BodyRead | Promise<BodyRead> {
  const declared = request.headers["content-length"];
  if (declared === "0" || (declared === undefined && request.headers["transfer-encoding"] === undefined)) return EMPTY;
  if (Number(declared) > largest) {
    drain(request);
    return TOO_LARGE;
  }
  return new Promise((resolve) => {
    let first: Buffer | undefined;
    let more: Buffer[] | undefined;
    let size = 0;
    function onData(chunk: Buffer): void {
      size += chunk.length;
      if (size > largest) {
        request.off("data", onData);
        drain(request);
        resolve(TOO_LARGE);
      } else if (first === undefined) first = chunk;
      else if (more === undefined) more = [first, chunk];
      else more.push(chunk);
    }
    request.on("data", onData);
    request.on("end", () => {
      resolve(first === undefined ? EMPTY : { kind: "read", bytes: more === undefined ? first : Buffer.concat(more) });
    });
    request.on("error", () => resolve(ABORTED));
    request.on("close", () => resolve(ABORTED));
  });
}

/** Reads on and throws away, so that whoever sends gets to read the answer; not without an end. */
export function drain(request: IncomingMessage): void {
  let drained = 0;
  request.on("data", (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > MAX_DRAINED) request.socket.destroy();
  });
  request.on("error", () => undefined);
  request.resume();
}
