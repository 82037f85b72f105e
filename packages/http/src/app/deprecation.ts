import type { Deprecation } from "@travel-booking/api-contract";

/** RFC 9745 (a date in Unix seconds), RFC 8594 (an HTTP date), RFC 5829 (the link). */
export function deprecationHeaders({ since, sunset, successor }: Deprecation): Readonly<Record<string, string>> {
  return {
    Deprecation: `@${Date.parse(since) / 1_000}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: `<${successor}>; rel="successor-version"`,
  };
}
