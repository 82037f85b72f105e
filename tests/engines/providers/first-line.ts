import { fieldOf } from "../processes/field-of.ts";

/** Of what a failure says: a reason is told in one line. */
export function firstLine(failure: unknown): string {
  const message = String(fieldOf(failure, "message") ?? failure);
  return message.trim().split("\n")[0] ?? "";
}
