import type { Server } from "node:http";
import type { Socket } from "node:net";
import { type ParsedSocket, parserCallback } from "./parser.ts";
import { RECOGNISED } from "./strangers.ts";

/** What Node reads at once. */
const READ_BYTES = 65_536;
/** Connections of strangers that are read, or waited for, at a time. */
const MAX_STRANGERS = 64;
/** Of those that rest, how many are read again in a turn, and how many after a long one. */
const AGAIN = 4;
const AGAIN_AFTER_LONG = 1;
const LONG_TURN_MS = 10;
/** Milliseconds after which it is the turn of others if nothing comes from those that are waited for. */
const WAIT_MS = 2;

/**
 * Reads at most so much of a connection in a turn of the event loop (libuv goes on up to 32 times while there is more), and
 * of the connections of strangers only a few in a turn: else thousands that send at once make a turn of seconds, and new
 * connections wait for as many turns as there are before them
 * (docs/decisions/0059-strangers-make-room-for-strangers.md).
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

/** False: it is closed, no HTTP any more, or Node has its own reasons to have paused it. */
function pause(socket: ParsedSocket): boolean {
  if (socket.isPaused() || !socket.parser) return false;
  socket.pause();
  return true;
}

/** The connections of strangers: a few are read, and the others rest until it is their turn. */
class Strangers {
  readonly #read = new Set<Socket>();
  readonly #resting = new Set<Socket>();
  #somethingCame = false;
  #turnsAhead = false;
  #lastTurnAt = 0;

  /** A new one is read first: whoever connects has something to ask. */
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
