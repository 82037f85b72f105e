import { connect } from "node:net";

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
