import type { Server } from "node:http";
import type { Socket } from "node:net";
import { responseUnderWay } from "./connections.ts";
import type { ClientAddressResolver } from "./rate-limit.ts";
import { RECOGNISED } from "./strangers.ts";

/** More than may wait for events in one service (docs/rules.md#reading-events). */
export const MAX_CONNECTIONS = 10_000;

/** Looked at to make room for one that is recognised. */
const MAX_LOOKED_AT = 32;

/** Undefined: trusted proxies. */
type Client = string | undefined;
type Connection = readonly [socket: Socket, client: Client];

/** Whether it is the client's turn: to ask, to send the rest of what it asks, or to read what it was answered. */
function waitsForClient(socket: Socket): boolean {
  const response = responseUnderWay(socket);
  return response === undefined || !response.req.complete || socket.writableNeedDrain;
}

/**
 * Bounds all connections, those of one address to half as many (trusted proxies may have them all), and those of strangers
 * to a quarter. A stranger who comes when there is no room takes that of the stranger who came first; a client that is
 * recognised then takes that of whoever has most (docs/decisions/0059-strangers-make-room-for-strangers.md).
 */
export function limitConnections(server: Server, max: number, addresses: ClientAddressResolver): void {
  const strangers = new Map<Socket, Client>();
  const recognised = new Map<Socket, Client>();
  const held = new Map<Client, number>();
  const heldBy = (client: Client) => held.get(client) ?? 0;

  const forget = ([socket, client]: Connection) => {
    if (!strangers.delete(socket) && !recognised.delete(socket)) return;
    if (heldBy(client) === 1) held.delete(client);
    else held.set(client, heldBy(client) - 1);
  };
  const close = (connection: Connection) => {
    forget(connection);
    connection[0].destroy();
  };
  /** Of the oldest few, which become the newest, the one that waits for its client, whoever has most. */
  const ofWhoeverHasMost = () => {
    let found: Connection | undefined;
    for (const connection of recognised.entries().take(MAX_LOOKED_AT)) {
      const [socket, client] = connection;
      recognised.delete(socket);
      recognised.set(socket, client);
      const hasMore = found === undefined || heldBy(client) > heldBy(found[1]);
      if (hasMore && waitsForClient(socket)) found = connection;
    }
    return found;
  };

  const maxStrangers = max / 4;
  server.on("connection", (socket) => {
    const client = addresses.clientOf(socket);
    if (client !== undefined && heldBy(client) >= max / 2) {
      socket.destroy();
      return;
    }
    const [first] = strangers;
    if (first !== undefined && strangers.size >= maxStrangers) close(first);
    strangers.set(socket, client);
    held.set(client, heldBy(client) + 1);
    socket.once("close", () => forget([socket, client]));
    const onRecognised = () => {
      if (!strangers.has(socket)) return;
      if (recognised.size >= max - maxStrangers) {
        const leaving = ofWhoeverHasMost();
        if (leaving === undefined) return;
        close(leaving);
      }
      socket.off(RECOGNISED, onRecognised);
      strangers.delete(socket);
      recognised.set(socket, client);
    };
    socket.on(RECOGNISED, onRecognised);
  });
}
