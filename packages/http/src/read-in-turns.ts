import type { Server } from "node:http";
import type { Socket } from "node:net";
import { type ParsedSocket, parserCallback } from "./parser.ts";

/** What Node reads at once. */
const READ_BYTES = 65_536;

/**
 * Reads at most so much of a connection in a turn of the event loop: libuv goes on up to 32 times while there is more, and
 * three hundred clients that sent without end made others wait for seconds.
 */
export function readInTurns(server: Server): void {
  server.on("connection", (socket: ParsedSocket) => {
    const found = parserCallback(socket, "bound onParserExecute");
    if (found === undefined) return;
    const { parser, number, callback } = found;
    let before = 0;
    parser[number] = (...given: unknown[]) => {
      callback(...given);
      const { bytesRead } = socket;
      if (bytesRead - before >= READ_BYTES) rest(socket);
      before = bytesRead;
    };
  });
}

function rest(socket: Socket): void {
  // Node has its own reasons to pause it.
  if (socket.isPaused() || socket.destroyed) return;
  socket.pause();
  setImmediate(() => socket.resume());
}
