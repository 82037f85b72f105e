import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Sends these bytes on a new connection and resolves to everything received until it is closed. */
export function sendRaw(port: number, text: string | Uint8Array, localAddress?: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect({ port, host: "127.0.0.1", ...(localAddress && { localAddress }) }, () => socket.write(text));
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", reject);
  socket.on("close", () => resolve(Buffer.concat(chunks).toString("utf8")));
  return promise;
}

/** A client that reads nothing; `closed` resolves once the server has closed the connection, if it reads then. */
export async function openSilently(
  port: number,
  localAddress?: string,
): Promise<{ readonly socket: Socket; readonly closed: Promise<unknown> }> {
  const socket = connect({ port, host: "127.0.0.1", ...(localAddress && { localAddress }) });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return { socket, closed: new Promise((resolve) => socket.once("close", resolve)) };
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}
