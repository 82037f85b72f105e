import { isInOrder, matchName } from "./match-name.ts";
import type { ComparedReading, DocumentReading } from "./reading.ts";
import { resemblesName } from "./resembles-name.ts";

/**
 * Compares passengers' names with the zone that was read, if any. Both are untrusted texts, so this runs in the process
 * that reads documents (docs/decisions/0020-a-child-process-reads-documents.md).
 */
export function compareNames(reading: DocumentReading, names: readonly string[]): ComparedReading {
  if (reading.outcome !== "read") return reading;
  const { zone, source } = reading;
  const compared = names.map((name) => {
    const match = matchName(name, zone);
    const isMisread = source === "scan" && (match === "doubtful" || match === "other") && resemblesName(name, zone);
    return { name, match: isMisread ? "misread" : match, isInOrder: isInOrder(name, zone) } as const;
  });
  return { ...reading, names: compared };
}
