import { once } from "node:events";
import { unlinkSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { isAbsolute } from "node:path";
import { withTimeout } from "./real-time.ts";

/** The address of a stream: a socket in this machine's file system, or a port. */
type StreamAddress = { readonly path: string } | { readonly host: string; readonly port: number };

/** Bytes of a path that the kernel takes (unix(7)), its end included. */
const LONGEST_PATH = 108;

/** Reads `unix:/absolute/path` and `tcp://host:port`; undefined for any other text. */
export function streamAddress(text: string): StreamAddress | undefined {
  if (text.startsWith("unix:")) {
    const path = text.slice("unix:".length);
    const isPath = isAbsolute(path) && !path.includes("\0") && Buffer.byteLength(path) < LONGEST_PATH;
    return isPath ? { path } : undefined;
  }
  const { host, port } =
    /^tcp:\/\/(?<host>[^\s/?#@:[\]]+|\[[\da-fA-F:.]+\]):(?<port>\d{1,5})$/.exec(text)?.groups ?? {};
  if (host === undefined || Number(port) > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}

function addressOf(text: string): StreamAddress {
  const address = streamAddress(text);
  if (address === undefined) throw new Error(`${JSON.stringify(text)} is no address of a stream`);
  return address;
}

/** Real time. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Real milliseconds of silence after which TCP probes the other side. */
const KEEP_ALIVE_MS = 30_000;

/** @throws Error nothing listens there, or the connection is not accepted in time. */
export async function connectTo(text: string): Promise<Socket> {
  const socket = connect({ ...addressOf(text), keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS, noDelay: true });
  try {
    const late = () => new Error(`no connection to ${text} within ${CONNECT_TIMEOUT_MS} ms`);
    await withTimeout(once(socket, "connect"), CONNECT_TIMEOUT_MS, late);
    return socket;
  } catch (error) {
    socket.on("error", () => undefined).destroy();
    throw error;
  }
}

/** More than the instances of all services. Further connections are closed. */
const MAX_CONNECTIONS = 64;

/** Accepts connections until the process ends. Replaces a socket that an earlier process left. @throws Error */
export async function listenAt(text: string, onConnection: (socket: Socket) => void): Promise<Server> {
  const address = addressOf(text);
  if ("path" in address) removeSocket(address.path);
  const server = createServer({ keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS, noDelay: true }, (socket) => {
    socket.on("error", () => undefined);
    onConnection(socket);
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(address);
  await once(server, "listening");
  return server;
}

function removeSocket(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
