import type { Server } from "node:http";
import type { Socket } from "node:net";
import { responseUnderWay } from "./connections.ts";
import type { ClientAddressResolver } from "./rate-limit.ts";
import { RECOGNISED } from "./strangers.ts";

/** More than may wait for events in one service (docs/rules.md#reading-events). */
export const MAX_CONNECTIONS = 10_000;

/** Looked at to make room for one. */
const MAX_LOOKED_AT = 32;

/** Undefined: trusted proxies. */
type Client = string | undefined;
type Connection = readonly [socket: Socket, client: Client];

/** Whether it is the client's turn: to ask, to send the rest of what it asks, or to read what it was answered. */
function waitsForClient(socket: Socket): boolean {
  const response = responseUnderWay(socket);
  return response === undefined || !response.req.complete || socket.writableNeedDrain;
}

/** Of the oldest few connections those on which the service waits for their client. All that are looked at become the newest. */
function* waiting(connections: Map<Socket, Client>): Generator<Connection> {
  for (const connection of connections.entries().take(MAX_LOOKED_AT)) {
    const [socket, client] = connection;
    connections.delete(socket);
    connections.set(socket, client);
    if (waitsForClient(socket)) yield connection;
  }
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
  /** False: there is none. */
  const roomAmong = (
    connections: Map<Socket, Client>,
    share: number,
    leaving: () => Connection | undefined,
  ): boolean => {
    if (connections.size < share) return true;
    const found = leaving();
    if (found === undefined) return false;
    forget(found);
    found[0].destroy();
    return true;
  };
  const maxStrangers = max / 4;
  const firstStranger = () => waiting(strangers).next().value;
  const ofWhoeverHasMost = () =>
    [...waiting(recognised)].reduce<Connection | undefined>(
      (most, one) => (most === undefined || heldBy(one[1]) > heldBy(most[1]) ? one : most),
      undefined,
    );

  server.on("connection", (socket) => {
    const client = addresses.clientOf(socket);
    const tooMany = client !== undefined && heldBy(client) >= max / 2;
    if (tooMany || !roomAmong(strangers, maxStrangers, firstStranger)) {
      socket.destroy();
      return;
    }
    strangers.set(socket, client);
    held.set(client, heldBy(client) + 1);
    socket.once("close", () => forget([socket, client]));
    const onRecognised = () => {
      if (!strangers.has(socket) || !roomAmong(recognised, max - maxStrangers, ofWhoeverHasMost)) return;
      socket.off(RECOGNISED, onRecognised);
      strangers.delete(socket);
      recognised.set(socket, client);
    };
    socket.on(RECOGNISED, onRecognised);
  });
}
