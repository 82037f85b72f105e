import { connect } from "node:net";

export interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends these bytes on a connection of their own, and answers what came until it was closed. */
export function sendRaw(baseUrl: string, bytes: string | Uint8Array): Promise<RawResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname, () => socket.write(bytes));
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", reject);
  socket.on("close", () => {
    const text = Buffer.concat(chunks).toString("utf8");
    const [head = "", body = ""] = text.split("\r\n\r\n", 2);
    resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), head, body });
  });
  return promise;
}
