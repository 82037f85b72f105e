import { IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type ParsedSocket, parserCallback } from "./parser.ts";

/** Requests of one connection that may wait for the answer to the one before them. */
const MAX_PIPELINED = 32;
/** The same of all connections together: the head of each stays in memory. */
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

/** What follows is not HTTP: the parser stops. */
const READ_NO_FURTHER = 2;

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** A piece of fewer bytes costs no less to read than one of so many. */
const SMALL_PIECE_BYTES = 256;
const MAX_SMALL_PIECES = 1_000;

/**
 * Disconnects a client whose chunked body comes in very many small pieces: one packet has room for eleven thousand, and Node
 * makes a buffer of each. The parser can't be stopped there, but makes nothing more of what it reads.
 */
function limitSmallPieces(request: IncomingMessage): void {
  if (request.headers["transfer-encoding"] === undefined) return;
  let left = MAX_SMALL_PIECES;
  // The parser calls this; `data` may come only after the whole packet.
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
  // Behind Node's own listener: the parser then waits for another connection.
  socket.once("close", () => {
    parser[number] = callback;
  });
}

/** The response to the last request that was taken up; undefined if it is finished, or there was none. */
export function responseUnderWay(socket: Socket): ServerResponse | undefined {
  const response = (socket as ServedSocket)[UNDER_WAY];
  return response?.writableEnded === false ? response : undefined;
}

/**
 * Takes up the requests of a connection one after another: the next one once the answer before it has been read, so that
 * no client can have the service make answers it does not read. A client that sends more than a few ahead is
 * disconnected (docs/rules.md#connections, docs/decisions/0038-one-request-of-a-connection-at-a-time.md).
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
    // The client can't be answered any more: what it asks must not be done.
    if (socket.writableEnded) return void socket.destroy();
    limitSmallPieces(request);
    // Node gives a response its socket once the one before it is written.
    if (response.socket !== null) {
      socket[UNDER_WAY] = response;
      serve(request, response);
      return;
    }
    const ahead = waiting.get(socket);
    if (ahead === undefined) socket.once("close", () => count(socket, -(waiting.get(socket) ?? 0)));
    if (ahead === MAX_PIPELINED || all === MAX_PIPELINED_IN_ALL) {
      // Else all the requests that were read at once would still be taken up, a thousand of them perhaps.
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

/** Closes connections on which nothing moves for so long, unless a handler is at work on their request. */
export function closeStalled(server: Server, unreadTimeoutMs: number): void {
  server.setTimeout(unreadTimeoutMs, (socket) => {
    const isIdle = responseUnderWay(socket) === undefined;
    if (isIdle && socket.writableLength === 0 && !socket.writableEnded) {
      // A client that reads learns that it is over, and closes, too.
      socket.end();
      socket.setTimeout(unreadTimeoutMs);
      // What is unread would else stay with the kernel until the client closes.
    } else if (isIdle || socket.writableLength > 0) socket.resetAndDestroy();
  });
}

const LOOK_EVERY_MS = 1_000;
/** Far more than a head, or what was still on its way to a request. */
const WORDLESS_BYTES = 131_072;

/** Looks at an answer, from its head on, within which it has to be taken: five minutes of them. */
const MAX_LOOKS = 300;

/**
 * Closes connections that send much and ask nothing (blank lines are parsed, and never end), and such whose client takes
 * too long over an answer: it might read a byte a minute for ever.
 */
export function closeEndless(server: Server, sockets: ReadonlySet<ServedSocket>): void {
  const looksAt = new WeakMap<ServerResponse, number>();
  const isTakenForEver = (answer: ServerResponse) => {
    // Only a stream of the operator's has no length: it goes on for as long as somebody watches.
    if (!answer.headersSent || answer.writableFinished || answer.chunkedEncoding) return false;
    const looks = (looksAt.get(answer) ?? 0) + 1;
    looksAt.set(answer, looks);
    return looks > MAX_LOOKS;
  };
  const look = setInterval(() => {
    for (const socket of sockets) {
      const { bytesRead, [UNDER_WAY]: last, [SEEN]: seen = NOTHING } = socket;
      if (last !== undefined && isTakenForEver(last)) socket.resetAndDestroy();
      // A body that comes after its answer has bounds of its own.
      else if (responseUnderWay(socket) !== undefined || last?.req.complete === false) delete socket[SEEN];
      else if (seen.last !== last) socket[SEEN] = { last, bytesRead };
      else if (bytesRead - seen.bytesRead > WORDLESS_BYTES) socket.destroy();
    }
  }, LOOK_EVERY_MS);
  server.once("close", () => clearInterval(look.unref()));
}
