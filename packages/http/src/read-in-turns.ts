import type { Server } from "node:http";
import type { Socket } from "node:net";
import { type ParsedSocket, parserCallback } from "./parser.ts";
import { RECOGNISED } from "./strangers.ts";

/** Bytes that Node reads at once. */
const READ_BYTES = 65_536;
/** Connections of strangers that are read, or waited for, at a time. */
const MAX_STRANGERS = 64;
/** How many resting connections are resumed per turn of the event loop, and how many after a slow turn. */
const AGAIN = 4;
const AGAIN_AFTER_LONG = 1;
const LONG_TURN_MS = 10;
/** Milliseconds to wait for bytes from the connections being read, before others have their turn. */
const WAIT_MS = 2;

/**
 * Reads at most `READ_BYTES` of a connection per turn of the event loop, although libuv would read up to 32 times. In a
 * turn it reads only a few connections of strangers. Else thousands that send at once make one turn last seconds, and
 * new connections wait for many such turns (docs/decisions/0059-strangers-make-room-for-strangers.md).
 */
export function readInTurns(server: Server): void {
  const strangers = new Strangers();
  server.on("connection", (socket: ParsedSocket) => {
    const found = parserCallback(socket, "bound onParserExecute");
    if (found === undefined) return;
    const { parser, number, callback } = found;
    let isStranger = true;
    let before = 0;
    parser[number] = (...given: unknown[]) => {
      callback(...given);
      const { bytesRead } = socket;
      if (isStranger) strangers.onRead(socket);
      else if (bytesRead - before >= READ_BYTES && pause(socket)) setImmediate(() => socket.resume());
      before = bytesRead;
    };
    strangers.admit(socket);
    const leave = () => {
      isStranger = false;
      strangers.dismiss(socket);
    };
    socket.once(RECOGNISED, leave).once("close", leave);
  });
}

/** False if the socket is closed, no longer HTTP, or was already paused by Node. */
function pause(socket: ParsedSocket): boolean {
  if (socket.isPaused() || !socket.parser) return false;
  socket.pause();
  return true;
}

/** Connections of strangers. A few are read at a time, and the others rest until it is their turn. */
class Strangers {
  readonly #read = new Set<Socket>();
  readonly #resting = new Set<Socket>();
  #somethingCame = false;
  #turnsAhead = false;
  #lastTurnAt = 0;

  /** A new connection is read first, because its client has something to ask. */
  admit(socket: Socket): void {
    this.#read.add(socket);
    this.#restOldest();
  }

  onRead(socket: Socket): void {
    this.#somethingCame = true;
    this.#rest(socket);
  }

  dismiss(socket: Socket): void {
    this.#read.delete(socket);
    if (this.#resting.delete(socket)) socket.resume();
  }

  #restOldest(): void {
    for (const socket of this.#read) {
      if (this.#read.size <= MAX_STRANGERS) return;
      this.#rest(socket);
    }
  }

  #rest(socket: Socket): void {
    this.#read.delete(socket);
    if (!pause(socket)) return;
    this.#resting.add(socket);
    this.#awaitTurn();
  }

  #awaitTurn(): void {
    if (this.#turnsAhead || this.#resting.size === 0) return;
    this.#turnsAhead = true;
    if (this.#somethingCame) setImmediate(() => this.#turn());
    else setTimeout(() => this.#turn(), WAIT_MS);
    this.#somethingCame = false;
  }

  #turn(): void {
    this.#turnsAhead = false;
    const now = performance.now();
    const again = now - this.#lastTurnAt > LONG_TURN_MS ? AGAIN_AFTER_LONG : AGAIN;
    this.#lastTurnAt = now;
    for (const socket of this.#resting.values().take(again)) {
      this.#resting.delete(socket);
      this.#read.add(socket);
      socket.resume();
    }
    this.#restOldest();
    this.#awaitTurn();
  }
}
