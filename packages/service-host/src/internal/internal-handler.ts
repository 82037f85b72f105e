import { createHash, timingSafeEqual } from "node:crypto";
import { type ApiResponse, type AuxiliaryHandler, errorResponse } from "@travel-booking/http";
import { deriveKey } from "@travel-booking/runtime";

/** What services of one installation prove themselves to each other with: they share `SECRET_KEY`. */
export function internalToken(secretKey: string): string {
  return Buffer.from(deriveKey(secretKey, "internal-calls")).toString("base64url");
}

const UNKNOWN_PATH = errorResponse(404, "There is nothing at this path.");

/** A page for other services of the same installation; for anybody else there is nothing. */
export function internalHandler(
  secretKey: string,
  page: (exchange: Parameters<AuxiliaryHandler>[0]) => Promise<ApiResponse>,
): AuxiliaryHandler {
  const expected = digest(`Bearer ${internalToken(secretKey)}`);
  return async (exchange) => {
    const given = digest(exchange.header("authorization") ?? "");
    return timingSafeEqual(given, expected) ? page(exchange) : UNKNOWN_PATH;
  };
}

/** Hashes, so that neither length nor content of the token shows in the time it takes to compare. */
const digest = (text: string) => createHash("sha256").update(text).digest();
