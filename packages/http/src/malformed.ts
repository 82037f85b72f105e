import type { Socket } from "node:net";
import { exchangeTokenOperation } from "@travel-booking/api-contract";
import { oauthError } from "./auth/token-endpoint.ts";
import { responseUnderWay } from "./connections.ts";
import { errorResponse, GUARDING_HEADERS } from "./error-response.ts";
import { requestIdOf } from "./request/headers.ts";

const PROBLEMS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "the head of the request is too large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "the chunk extensions of the request are too large",
  ERR_HTTP_REQUEST_TIMEOUT: "the request did not arrive in time",
};
/** How long a client may take to read the answer: it may go on sending without reading. */
const READ_WITHIN_MS = 1_000;

/** `rawPacket`: the bytes the parser stumbled over; they begin with the head if it came in one piece. */
type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** Responds to bytes that are no HTTP request, or that did not come in time, and closes the connection. */
export function respondMalformed(error: ClientError, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const response = responseUnderWay(socket);
  if (response?.req.complete) {
    // These bytes follow that request, so its answer comes first.
    response.once("close", () => respondMalformed(error, socket));
    return;
  }
  const problem = PROBLEMS[error.code ?? ""] ?? "the request is not well-formed HTTP";
  const { json, headers } = isForToken(error, socket)
    ? oauthError("invalid_request", problem)
    : errorResponse(400, [problem]);
  const body = json as string;
  const lines = Object.entries({
    Connection: "close",
    "X-Request-Id": requestIdOf(undefined),
    ...GUARDING_HEADERS,
    ...headers,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join("")}\r\n${body}`);
  socket.setTimeout(READ_WITHIN_MS, () => socket.destroy());
}

const { method, path } = exchangeTokenOperation;
const MAX_LINE_START = method.length + path.length + 2;

/**
 * Whether the request is one for a token, as far as that can be known: of a head that came in several pieces only the
 * last one is here (docs/decisions/0038-one-request-of-a-connection-at-a-time.md).
 */
function isForToken({ rawPacket }: ClientError, socket: Socket): boolean {
  const request = responseUnderWay(socket)?.req;
  const line =
    request === undefined
      ? rawPacket?.toString("latin1", 0, MAX_LINE_START)
      : `${request.method} ${request.url} `.slice(0, MAX_LINE_START);
  return line === `${method} ${path} ` || line === `${method} ${path}?`;
}
