import { type Handler, hasBearerToken, UNKNOWN_PATH } from "@travel-booking/http";
import { deriveKey } from "@travel-booking/runtime";

/** What services of one installation prove themselves to each other with: they share `SECRET_KEY`. */
export function internalToken(secretKey: string): string {
  return Buffer.from(deriveKey(secretKey, "internal-calls")).toString("base64url");
}

/** A handler for other services of the same installation. For anybody else the path does not exist. */
export function internalHandler(secretKey: string, handler: Handler): Handler {
  const token = internalToken(secretKey);
  return (request) => (hasBearerToken(request.header("authorization"), token) ? handler(request) : UNKNOWN_PATH);
}
