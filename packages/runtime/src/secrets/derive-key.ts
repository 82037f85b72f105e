import { hkdfSync } from "node:crypto";

/**
 * A key of 32 bytes for one purpose, derived from the service's secret (HKDF-SHA-256, RFC 5869): what is known about
 * one of them says nothing about another.
 */
export function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "travel-booking-service", purpose, 32));
}
