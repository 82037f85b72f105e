import { IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type ParsedSocket, parserCallback } from "./parser.ts";

/** Requests of one connection that may wait for the response to an earlier one. */
const MAX_PIPELINED = 32;
/** The same for all connections together, because the head of each waiting request stays in memory. */
const MAX_PIPELINED_IN_ALL = 1_000;

const UNDER_WAY = Symbol("the response to the request that is worked on");

const SEEN = Symbol("the last response, and how much had come, when it was first seen to be finished");

interface Seen {
  readonly last: ServerResponse | undefined;
  readonly bytesRead: number;
}

const NOTHING: Seen = { last: undefined, bytesRead: 0 };

interface ServedSocket extends ParsedSocket {
  [UNDER_WAY]?: ServerResponse | undefined;
  [SEEN]?: Seen;
}

/** Tells the parser that what follows is not HTTP, which stops it. */
const READ_NO_FURTHER = 2;

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Pieces below this size are counted, because each costs as much to read as one of this size. */
const SMALL_PIECE_BYTES = 256;
const MAX_SMALL_PIECES = 1_000;

/**
 * Disconnects a client whose chunked body comes in very many small pieces: one packet has room for eleven thousand, and
 * Node makes a buffer of each. The parser can't be stopped within a packet, but no longer calls back for its pieces.
 */
function limitSmallPieces(request: IncomingMessage): void {
  if (request.headers["transfer-encoding"] === undefined) return;
  let left = MAX_SMALL_PIECES;
  // The parser calls `push` for each piece. A `data` listener may run only after the whole packet.
  request.push = (piece: Buffer | null) => {
    if (piece !== null && piece.length < SMALL_PIECE_BYTES) left -= 1;
    if (left >= 0) return IncomingMessage.prototype.push.call(request, piece);
    ignoreBody(request.socket);
    request.socket.destroy();
    return false;
  };
}

function ignoreBody(socket: ServedSocket): void {
  const found = parserCallback(socket, "parserOnBody");
  if (found === undefined) return;
  const { parser, number, callback } = found;
  parser[number] = undefined;
  // Restored after Node's own `close` listener, when the parser waits for another connection.
  socket.once("close", () => {
    parser[number] = callback;
  });
}

/** The response to the last request that began; undefined if it is finished, or there was none. */
export function responseUnderWay(socket: Socket): ServerResponse | undefined {
  const response = (socket as ServedSocket)[UNDER_WAY];
  return response?.writableEnded === false ? response : undefined;
}

/**
 * Serves the requests of a connection one after another. The next one begins once the client has read the response
 * before it, so no client can have the service make responses it does not read. A client that sends more than a few
 * ahead is disconnected (docs/rules.md#connections, docs/decisions/0038-one-request-of-a-connection-at-a-time.md).
 */
export function oneAfterAnother(serve: Listener): Listener {
  const waiting = new WeakMap<Socket, number>();
  let all = 0;
  const count = (socket: Socket, change: number) => {
    waiting.set(socket, (waiting.get(socket) ?? 0) + change);
    all += change;
  };
  return (request, response) => {
    const socket: ServedSocket = request.socket;
    // The client can't get a response any more, so its request must not be carried out.
    if (socket.writableEnded) return void socket.destroy();
    limitSmallPieces(request);
    // Node gives a response its socket once the previous response is written.
    if (response.socket !== null) {
      socket[UNDER_WAY] = response;
      serve(request, response);
      return;
    }
    const ahead = waiting.get(socket);
    if (ahead === undefined) socket.once("close", () => count(socket, -(waiting.get(socket) ?? 0)));
    if (ahead === MAX_PIPELINED || all === MAX_PIPELINED_IN_ALL) {
      // Else the parser would still deliver every request of the packet, perhaps a thousand.
      const { parser } = socket;
      if (parser) parser.onIncoming = () => READ_NO_FURTHER;
      socket.destroy();
      return;
    }
    count(socket, 1);
    response.once("socket", () => {
      count(socket, -1);
      socket[UNDER_WAY] = response;
      setImmediate(serve, request, response);
    });
  };
}

/** Closes connections without traffic for this long, unless a handler is at work on their request. */
export function closeStalled(server: Server, unreadTimeoutMs: number): void {
  server.setTimeout(unreadTimeoutMs, (socket) => {
    const isIdle = responseUnderWay(socket) === undefined;
    if (isIdle && socket.writableLength === 0 && !socket.writableEnded) {
      // A client that still reads sees the end, and closes, too.
      socket.end();
      socket.setTimeout(unreadTimeoutMs);
      // A reset frees unread bytes, which the kernel would else keep until the client closes.
    } else if (isIdle || socket.writableLength > 0) socket.resetAndDestroy();
  });
}

const LOOK_EVERY_MS = 1_000;
/** Far more than the head of a request, or what was still on its way to an answered one. */
const WORDLESS_BYTES = 131_072;

/** A response must be taken whole within this many looks, counted from its head: five minutes. */
const MAX_LOOKS = 300;

/**
 * Closes connections that send much without a request, such as endless blank lines, which are valid. Also closes those
 * whose client takes too long over a response: it might read a byte a minute for ever.
 */
export function closeEndless(server: Server, sockets: ReadonlySet<ServedSocket>): void {
  const looksAt = new WeakMap<ServerResponse, number>();
  const isTakenForEver = (answer: ServerResponse) => {
    // Only the operator's streams have no length. They go on for as long as somebody watches.
    if (!answer.headersSent || answer.writableFinished || answer.chunkedEncoding) return false;
    const looks = (looksAt.get(answer) ?? 0) + 1;
    looksAt.set(answer, looks);
    return looks > MAX_LOOKS;
  };
  const look = setInterval(() => {
    for (const socket of sockets) {
      const { bytesRead, [UNDER_WAY]: last, [SEEN]: seen = NOTHING } = socket;
      if (last !== undefined && isTakenForEver(last)) socket.resetAndDestroy();
      // A body that still arrives after its response has bounds of its own.
      else if (responseUnderWay(socket) !== undefined || last?.req.complete === false) delete socket[SEEN];
      else if (seen.last !== last) socket[SEEN] = { last, bytesRead };
      else if (bytesRead - seen.bytesRead > WORDLESS_BYTES) socket.destroy();
    }
  }, LOOK_EVERY_MS);
  server.once("close", () => clearInterval(look.unref()));
}
