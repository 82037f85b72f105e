import type { Server } from "node:http";
import type { Socket } from "node:net";
import { responseUnderWay } from "./connections.ts";
import type { ClientAddressResolver } from "./rate-limit.ts";
import { RECOGNISED } from "./strangers.ts";

/** More than the requests that may wait for events in one service (docs/rules.md#reading-events). */
export const MAX_CONNECTIONS = 10_000;

/** How many connections are looked at to find one that makes room for a recognised one. */
const MAX_LOOKED_AT = 32;

/** The address that limits apply to; undefined for a trusted proxy. */
type Client = string | undefined;
type Connection = readonly [socket: Socket, client: Client];

/** Whether the server waits for the client to send a request, send the rest of one, or read a response. */
function waitsForClient(socket: Socket): boolean {
  const response = responseUnderWay(socket);
  return response === undefined || !response.req.complete || socket.writableNeedDrain;
}

/**
 * Bounds all connections, those of an address to half (trusted proxies may have all), and those of strangers to a
 * quarter. When strangers have no room left, a new one replaces the oldest. When recognised clients have none, a new
 * one replaces a connection of the address that holds the most
 * (docs/decisions/0059-strangers-make-room-for-strangers.md).
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
  /** Of the oldest few, one that waits for its client, from the address that holds the most. They become the newest. */
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
