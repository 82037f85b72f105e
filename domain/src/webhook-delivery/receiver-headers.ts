/** Headers that every delivery has. */
const SENT = ["user-agent", "service-signature", "webhook-id", "webhook-timestamp", "webhook-signature"] as const;

/** Headers that are about a connection, or how a request is made (RFC 9110 §7.6.1, §10.1.1). */
const OF_THE_CONNECTION = [
  "host",
  "expect",
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
] as const;

const RESERVED: ReadonlySet<string> = new Set([...SENT, ...OF_THE_CONNECTION]);

/** Whether no header of the receiver's own has this name, in any case (docs/rules.md#receiver-headers). */
export function isReservedHeader(name: string): boolean {
  const known = name.toLowerCase();
  return RESERVED.has(known) || known.startsWith("content-");
}

export const MAX_RECEIVER_HEADERS = 10;
export const MAX_HEADER_NAME = 64;
export const MAX_HEADER_VALUE = 1_024;
