import type { LoadJob, RequestSource, RequestTemplate, SeatBlock } from "./job.ts";

/** The bytes of the next request; undefined when there is nothing left to ask for. */
export type NextRequest = () => Buffer | undefined;

/** A request as the bytes that go over the wire. */
export function serializeRequest({ method, path, headers, body = "" }: RequestTemplate, port: number): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, "Connection: keep-alive"];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (method !== "GET") lines.push("Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
}

function cycle(messages: readonly RequestTemplate[], repeat: number, port: number): NextRequest {
  const requests = messages.map((message) => serializeRequest(message, port));
  let sent = 0;
  return () => requests[Math.floor(sent++ / repeat) % requests.length];
}

function* seatNumbers({ columns, rows }: SeatBlock): Iterable<string> {
  for (let row = 1; row <= rows; row += 1) for (const column of columns) yield `${row}${column}`;
}

function holds(source: Extract<RequestSource, { kind: "holds" }>, port: number): NextRequest {
  const { headers, flights } = source;
  const perFlight = flights.map((flight) => {
    const path = `/v1/flights/${flight.flightId}/seat-holds`;
    const requests: Buffer[] = [];
    for (const seat of seatNumbers(flight)) {
      requests.push(serializeRequest({ method: "POST", path, headers, body: JSON.stringify({ seats: [seat] }) }, port));
    }
    return requests;
  });
  const queue = source.order === "flight-by-flight" ? perFlight.flat() : interleaved(perFlight);
  let sent = 0;
  return () => queue[sent++];
}

function interleaved(lists: readonly (readonly Buffer[])[]): Buffer[] {
  const longest = Math.max(...lists.map((list) => list.length));
  const result: Buffer[] = [];
  for (let index = 0; index < longest; index += 1) {
    for (const list of lists) {
      const request = list[index];
      if (request !== undefined) result.push(request);
    }
  }
  return result;
}

function limited(next: NextRequest, limit: number): NextRequest {
  let sent = 0;
  return () => (sent++ < limit ? next() : undefined);
}

/** Builds every buffer up front, so that a run only copies bytes. */
export function requestsOf({ source, port, limit }: Pick<LoadJob, "source" | "port" | "limit">): NextRequest {
  const next = source.kind === "cycle" ? cycle(source.messages, source.repeat, port) : holds(source, port);
  return limit === undefined ? next : limited(next, limit);
}
