import type { Socket } from "node:net";

/** Emitted by a connection that has sent a valid credential. Until then its client is a stranger. */
export const RECOGNISED = "recognised";

/** Called with the connection of each request that has a valid credential. */
export function recognise(connection: Socket): void {
  connection.emit(RECOGNISED);
}
