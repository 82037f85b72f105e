import type { ApiRequest } from "@travel-booking/http";

/** A name or an address, with a port or without (RFC 9110 §7.2). */
const HOST = /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Where the client has asked, as `http://host:port`; a proxy on the way says whether it was by TLS. */
export function baseUrlOf(request: Pick<ApiRequest, "header">): string {
  const host = request.header("host") ?? "";
  const scheme = request.header("x-forwarded-proto") === "https" ? "https" : "http";
  return HOST.test(host) ? `${scheme}://${host.toLowerCase()}` : "http://localhost";
}
