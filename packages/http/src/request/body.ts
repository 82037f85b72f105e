import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";

/** Limits of a body: its size, and the real time in which it must arrive after its head. */
export interface BodyBounds {
  readonly maxBytes: number;
  readonly withinMs: number;
}

/** Time for a JSON body. Its size limit depends on the operation (docs/rules.md#errors). */
export const JSON_WITHIN_MS = 20_000;
/** Limits for token requests, which come from clients that are not authenticated yet. */
export const FORM_BODY: BodyBounds = { maxBytes: 8_192, withinMs: 5_000 };

/** Why a body could not be read. After `tooSlow` the connection must be closed: the rest may still be coming. */
export interface BodyProblem {
  readonly problem: string;
  readonly tooSlow: boolean;
}

const EMPTY = Buffer.alloc(0);

/** `aborted`: the client disconnected before the end. */
type BodyRead = Buffer | BodyProblem | "aborted";

/** Reads the body into memory. Never rejects. */
export function readBody(request: IncomingMessage, { maxBytes, withinMs }: BodyBounds): BodyRead | Promise<BodyRead> {
  const declared = request.headers["content-length"];
  if (declared === "0" || (declared === undefined && request.headers["transfer-encoding"] === undefined)) return EMPTY;
  const tooLarge = { problem: `body must have at most ${maxBytes} bytes`, tooSlow: false };
  if (Number(declared) > maxBytes) return tooLarge;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    function onData(chunk: Buffer): void {
      size += chunk.length;
      if (size > maxBytes) refuse(tooLarge);
      else chunks.push(chunk);
    }
    const body = {
      overdueAt: performance.now() + withinMs,
      giveUp: () => refuse({ problem: `body must arrive within ${withinMs / 1_000} seconds`, tooSlow: true }),
    };
    function refuse(problem: BodyProblem): void {
      request.off("data", onData);
      discard(request);
      done(problem);
    }
    function done(read: BodyRead): void {
      arriving.delete(body);
      resolve(read);
    }
    arriving.add(body);
    request.on("data", onData);
    // Most bodies are one chunk, which needs no copy.
    request.on("end", () => done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on("error", () => done("aborted"));
    request.on("close", () => done("aborted"));
  });
}

/** Bodies that are arriving. One timer watches them all, because a timer for each would cost more than reading it. */
const arriving = new Set<{ readonly overdueAt: number; readonly giveUp: () => void }>();
setInterval(() => {
  const now = performance.now();
  for (const body of arriving) if (now >= body.overdueAt) body.giveUp();
}, 500).unref();

/** Milliseconds for the rest of a body that is not needed (docs/rules.md#connections). */
const DISCARD_TIMEOUT_MS = 20_000;
/** The size of the largest document that is accepted. */
const MAX_DISCARDED_BYTES = 11_000_000;

/** `discard` for a request that is answered before its body has arrived, if nothing reads the body. */
export function discardBody(request: IncomingMessage): void {
  if (!request.complete && request.readableFlowing === null) discard(request);
}

/**
 * Reads the rest of a body for a while, so that the client gets to the response, and disconnects a client that goes on.
 * A connection that is to be closed stays open until the body ends. The kernel resets a connection that is closed with
 * unread bytes, and its client loses the response.
 */
export function discard(request: IncomingMessage): void {
  // The body has arrived whole, and the connection serves the next request.
  if (request.closed) return;
  const { socket } = request;
  let left = MAX_DISCARDED_BYTES;
  const timer = setTimeout(() => socket.destroy(), DISCARD_TIMEOUT_MS).unref();
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
  // Node calls `destroySoon` after the last response.
  socket.destroySoon = () => {
    socket.end();
    request.once("close", () => socket.destroySoon());
  };
  const end = () => {
    clearTimeout(timer);
    socket.destroySoon = Socket.prototype.destroySoon;
    socket.off("close", end);
  };
  request.once("close", end);
  // An answered request is not closed with its connection.
  socket.once("close", end);
  request.resume();
}
