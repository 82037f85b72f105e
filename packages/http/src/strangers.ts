import type { Socket } from "node:net";

/** Emitted by a connection on which a valid credential was shown. Until then its client is a stranger. */
export const RECOGNISED = "recognised";

/** To be called with the connection of each request that has a valid credential. */
export function recognise(connection: Socket): void {
  connection.emit(RECOGNISED);
}
