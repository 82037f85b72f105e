import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Logger } from "@travel-booking/runtime";

/**
 * Joins a connection to a process that is started for it with the first that comes: one that asks nothing, as a health check,
 * gets none. What they say is not looked at. Where one closes, so does the other.
 */
export function relay(socket: Socket, start: () => Promise<Duplex>, logger: Pick<Logger, "error">): void {
  socket.once("readable", async () => {
    try {
      const reader = await start();
      reader.on("error", () => undefined).once("close", () => socket.destroySoon());
      // Also one that is closed by now.
      if (socket.destroyed) reader.destroy();
      socket.once("end", () => reader.destroy()).once("close", () => reader.destroy());
      socket.pipe(reader).pipe(socket);
    } catch (error) {
      logger.error({ err: error }, "a process that reads documents can't be started");
      socket.destroy();
    }
  });
}
