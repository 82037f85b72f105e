import type { Socket } from "node:net";
import { errorBody } from "../errors/error-response.ts";
import { requestIdOf } from "../request/request-id.ts";

const PROBLEMS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "the head of the request is too large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "the chunk extensions of the request are too large",
  ERR_HTTP_REQUEST_TIMEOUT: "the request did not arrive in time",
};

/** Answers what Node could not read as a request; nothing is known of it, so its connection ends. */
export function respondMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(errorBody(400, [PROBLEMS[error.code ?? ""] ?? "the request is not well-formed HTTP"]));
  const head = [
    "HTTP/1.1 400 Bad Request",
    "Connection: close",
    `X-Request-Id: ${requestIdOf(undefined)}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // Whoever still sends is not listened to for ever.
  socket.setTimeout(1_000, () => socket.destroy());
}
