import type { IncomingMessage } from "node:http";

/** Largest body of a request, in bytes. */
export const MAX_BODY_BYTES = 1_048_576;
/** So much of a body that is too large is read and dropped, so that the client gets to read the response. */
const MAX_DRAINED = 16 * MAX_BODY_BYTES;

/** `aborted`: the client disconnected before the end. */
export type BodyRead = Buffer | "too_large" | "aborted";

const EMPTY = Buffer.alloc(0);

/** Reads the body into memory. Never rejects. */
export function readBody(request: IncomingMessage): BodyRead | Promise<BodyRead> {
  const declared = request.headers["content-length"];
  if (declared === "0" || (declared === undefined && request.headers["transfer-encoding"] === undefined)) return EMPTY;
  if (Number(declared) > MAX_BODY_BYTES) {
    drain(request);
    return "too_large";
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    function onData(chunk: Buffer): void {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) {
        request.off("data", onData);
        drain(request);
        resolve("too_large");
      } else chunks.push(chunk);
    }
    request.on("data", onData);
    // Most bodies are one chunk, which needs no copy.
    request.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on("error", () => resolve("aborted"));
    request.on("close", () => resolve("aborted"));
  });
}

/** Reads the rest and drops it, up to a limit, so that the client gets to read the response. */
export function drain(request: IncomingMessage): void {
  let drained = 0;
  request.on("data", (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > MAX_DRAINED) request.socket.destroy();
  });
  request.on("error", () => undefined);
  request.resume();
}
