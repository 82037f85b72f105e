import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Logger } from "@travel-booking/runtime";

/**
 * Connects a socket to a process, which is started with the first byte. So a connection without a request, such as a
 * health check, starts none. The bytes are not inspected. When one side closes, so does the other.
 */
export function relay(socket: Socket, start: () => Promise<Duplex>, logger: Pick<Logger, "error">): void {
  socket.once("readable", async () => {
    try {
      const reader = await start();
      reader.on("error", () => undefined).once("close", () => socket.destroySoon());
      // The socket may already be closed by now.
      if (socket.destroyed) reader.destroy();
      socket.once("end", () => reader.destroy()).once("close", () => reader.destroy());
      socket.pipe(reader).pipe(socket);
    } catch (error) {
      logger.error({ err: error }, "a process that reads documents can't be started");
      socket.destroy();
    }
  });
}
