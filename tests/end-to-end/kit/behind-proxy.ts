/**
 * Whether the service is asked by way of the reverse proxy. It refuses some malformed requests itself, and shows nobody
 * the metrics of the services behind it.
 */
export const BEHIND_PROXY = process.env.TEST_PROFILE === "distributed";

/** Ids that can be sent: a proxy passes no path on that holds a zero byte. */
export function withoutUnsendable(ids: readonly string[]): readonly string[] {
  return BEHIND_PROXY ? ids.filter((id) => id !== "%00") : ids;
}

/** What a request is given that brings no id of its own: a UUID, or the proxy's 32 hexadecimal digits. */
export const REQUEST_ID = /^[0-9a-f-]{32,36}$/;
