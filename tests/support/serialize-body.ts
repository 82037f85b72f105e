/** The body of a request: text and bytes as they are, anything else as JSON. */
export function serializeBody(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}
