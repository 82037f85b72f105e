import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { exchangeTokenOperation } from "@travel-booking/api-contract";
import { oauthError } from "./auth/token-endpoint.ts";
import { responseUnderWay } from "./connections.ts";
import { errorResponse, GUARDING_HEADERS } from "./error-response.ts";
import { discardBody } from "./request/body.ts";
import { requestIdOf } from "./request/headers.ts";
import type { ApiResponse } from "./route.ts";

const PROBLEMS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "the head of the request is too large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "the chunk extensions of the request are too large",
  ERR_HTTP_REQUEST_TIMEOUT: "the request did not arrive in time",
};
/** How long a client may take to read the refusal. Else it could go on sending without reading. */
const READ_WITHIN_MS = 1_000;

/** `rawPacket`: the bytes that the parser failed on. They begin with the head if it came in one piece. */
type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** Connections that already have a refusal on its way. */
const refused = new WeakSet<Socket>();

/** Responds to bytes that are no HTTP request, or that did not come in time, and closes the connection. */
export function respondMalformed(error: ClientError, socket: Socket): void {
  if (error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  // Bytes behind a request that closes the connection are not read (RFC 9112 §9.6).
  if (error.code === "HPE_CLOSED_CONNECTION" || refused.has(socket)) return;
  refused.add(socket);
  // Each further packet would be another error, with a copy of its bytes.
  socket.pause();
  const start = error.rawPacket?.toString("latin1", 0, MAX_LINE_START);
  whenLast(socket, (request) => {
    const line = request === undefined ? start : lineOf(request);
    socket.resume();
    end(socket, malformed(line, PROBLEMS[error.code ?? ""] ?? "the request is not well-formed HTTP"));
  });
}

/** Refuses CONNECT, which asks for a tunnel, and closes the connection, because Node no longer reads it as HTTP. */
export function refuseTunnel(request: IncomingMessage, socket: Socket): void {
  socket.on("error", () => socket.destroy());
  // The target of CONNECT is no path, so no method is allowed there.
  const refusal = errorResponse(405, "method_not_allowed", "CONNECT is not possible here.", { Allow: "" });
  whenLast(socket, () => end(socket, refusal, request));
}

/** Calls back once the earlier requests are answered, with the request that is still arriving, if there is one. */
function whenLast(socket: Socket, respond: (unfinished: IncomingMessage | undefined) => void): void {
  const response = responseUnderWay(socket);
  if (response?.req.complete) response.once("close", () => whenLast(socket, respond));
  else respond(response?.req);
}

function end(socket: Socket, response: ApiResponse, request?: IncomingMessage): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const lines = Object.entries(headersOf(response, request)).map(([name, value]) => `${name}: ${value}\r\n`);
  const { status, json } = response;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${json}`);
  socket.setTimeout(READ_WITHIN_MS, () => socket.destroy());
}

const headersOf = ({ headers, json }: ApiResponse, request?: IncomingMessage) => ({
  Connection: "close",
  "X-Request-Id": requestIdOf(request?.headers["x-request-id"]),
  ...GUARDING_HEADERS,
  ...headers,
  "Content-Type": "application/json; charset=utf-8",
  "Content-Length": Buffer.byteLength(json as string),
});

/** Whether the request has exactly one Host header (RFC 9112 §3.2). Node hides all but the first. */
export function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let found = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") found += 1;
  }
  return found === 1 || (found === 0 && httpVersion === "1.0");
}

/** Refuses a request without exactly one Host, and closes the connection, since the end may be as doubtful. */
export function refuseHost(request: IncomingMessage, response: ServerResponse): void {
  const refusal = malformed(lineOf(request), "Host must be there, once");
  discardBody(request);
  response.writeHead(refusal.status, headersOf(refusal, request)).end(refusal.json);
}

const { method, path } = exchangeTokenOperation;
const MAX_LINE_START = method.length + path.length + 2;

const lineOf = (request: IncomingMessage) => `${request.method} ${request.url} `.slice(0, MAX_LINE_START);

/**
 * A 400, in the shape of the token endpoint if the request is for a token. Where a head came in several pieces, only
 * the last is known here, so the shape may be wrong (docs/decisions/0038-one-request-of-a-connection-at-a-time.md).
 */
function malformed(line: string | undefined, problem: string): ApiResponse {
  const isForToken = line === `${method} ${path} ` || line === `${method} ${path}?`;
  return isForToken ? oauthError("invalid_request", problem) : errorResponse(400, "malformed_http", [problem]);
}
