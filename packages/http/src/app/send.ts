import { pushRateHeaders } from "../limits/rate-headers.ts";
import type { ApiResponse } from "../route.ts";
import type { HttpExchange } from "./http-exchange.ts";

const JSON_TYPE = "application/json; charset=utf-8";

/**
 * Writes a response. The only place that does: in one piece, with headers as a flat list, because this is on the path
 * of every request.
 */
export function send(exchange: HttpExchange, { status, json, headers: own }: ApiResponse, closing: boolean): void {
  const { response } = exchange;
  const headers: (string | number)[] = ["X-Request-Id", exchange.requestId];
  let contentType: string | undefined = json === null ? undefined : JSON_TYPE;
  if (exchange.rate !== undefined) pushRateHeaders(headers, exchange.rate);
  if (exchange.apiVersion !== undefined) headers.push("Service-Version", exchange.apiVersion);
  if (exchange.deprecation !== undefined) {
    for (const [name, value] of Object.entries(exchange.deprecation)) headers.push(name, value);
  }
  if (closing) headers.push("Connection", "close");
  if (own !== undefined) {
    for (const [name, value] of Object.entries(own)) {
      if (name === "Content-Type") contentType = value;
      else headers.push(name, value);
    }
  }
  if (contentType !== undefined) headers.push("Content-Type", contentType);
  if (json === null) {
    // How long an answer to HEAD would have been is left unsaid where it was not made.
    if (status !== 204 && status !== 304 && exchange.request.method !== "HEAD") headers.push("Content-Length", 0);
    response.writeHead(status, headers);
    response.end();
  } else if (typeof json === "string") {
    headers.push("Content-Length", Buffer.byteLength(json));
    response.writeHead(status, headers);
    response.end(json);
  } else {
    headers.push("Content-Length", json.byteLength);
    response.writeHead(status, headers);
    // Node sends the head and a text in one piece, the head and bytes in two.
    response.end(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString("latin1"), "latin1");
  }
}
