import { createHash } from "node:crypto";
import { canonicalEmail } from "@travel-booking/domain";

/** Names the stream of an e-mail address inside its account: a hash, the same whatever the address's case. */
export function emailKeyOf(email: string): string {
  return createHash("sha256").update(canonicalEmail(email)).digest("hex");
}
