import type { DocumentUploaded } from "@travel-booking/domain";
import { BOOKINGS, type DocumentUsage } from "@travel-booking/read-models";
import { foldingHandler } from "../../projection.ts";

/** The number and size of all files of an account, after each upload by one of its credentials. */
export const documentUsageHandler = foldingHandler<DocumentUsage, DocumentUploaded>(
  BOOKINGS.documentUsage.model,
  ({ type, metadata }) => (type === "DocumentUploaded" ? (metadata.accountId ?? undefined) : undefined),
  (before = { documents: 0, bytes: 0 }, { data }) => {
    return { documents: before.documents + 1, bytes: before.bytes + data.sizeBytes };
  },
);
