import type { BookingEvent } from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import { BOOKINGS, type DocumentUsage } from "@travel-booking/read-models";
import { type Change, type DocumentKey, type Documents, recorded } from "../../projection.ts";

const { model } = BOOKINGS.documentUsage;

const NONE: readonly never[] = [];

export function documentUsageReads({ type, metadata }: RecordedEvent): readonly DocumentKey[] {
  const { accountId } = metadata;
  return type === "DocumentUploaded" && accountId !== null ? [{ model, key: accountId }] : NONE;
}

/** What the files of an account are together, after an upload of one of its credentials. */
export function documentUsageChanges(event: RecordedEvent, documents: Documents): readonly Change[] {
  const [read] = documentUsageReads(event);
  const fact = recorded<BookingEvent>(event);
  if (read === undefined || fact.type !== "DocumentUploaded") return NONE;
  const before = documents.state<DocumentUsage>(model, read.key) ?? { documents: 0, bytes: 0 };
  const state = { documents: before.documents + 1, bytes: before.bytes + fact.data.sizeBytes };
  return [{ kind: "fold", ...read, state }];
}
