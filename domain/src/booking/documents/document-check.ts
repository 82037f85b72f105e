import { samePersonName } from "../../travel-document/names/same-name.ts";
import type { ExistingBooking } from "../state.ts";
import type { TravelDocument } from "./travel-document.ts";

export type DocumentCheck = "ok" | "pending" | "missing";

/**
 * Whether a passenger may board as far as documents go: boarding needs a verified passport
 * (docs/rules.md#document-check). `pending`: none yet, but one that may turn out to be theirs is under review. `missing`
 * also where there is no such passenger.
 */
export function documentCheck(
  { documents, passengers }: Pick<ExistingBooking, "documents" | "passengers">,
  passengerIndex: number,
): DocumentCheck {
  const name = passengers[passengerIndex]?.name;
  if (name === undefined) return "missing";
  if (documents.some((document) => isPassportOf(document, passengerIndex, name))) return "ok";
  return documents.some(mayBecomePassport) ? "pending" : "missing";
}

function isPassportOf({ kind, status, holders }: TravelDocument, passenger: number, name: string): boolean {
  if (kind !== "passport" || status !== "verified") return false;
  return holders.some((holder) => holder.passenger === passenger && samePersonName(holder.name, name));
}

function mayBecomePassport({ kind, status }: TravelDocument): boolean {
  return status === "pending" && (kind === "passport" || kind === "unknown");
}
