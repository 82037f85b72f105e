import { z } from "zod";
import { ACTOR_KINDS } from "../enumerations.ts";
import { oneOf, strict } from "../fields/objects.ts";
import { utcDateTime } from "../fields/time.ts";

export const bookingHistoryEntrySchema = strict({
  id: z.string(),
  type: z.string(),
  createdAt: utcDateTime,
  actor: strict({ kind: oneOf(ACTOR_KINDS), id: z.string() }),
  requestId: z.string().nullable(),
  changes: z.record(z.string(), z.unknown()),
});
export type BookingHistoryEntry = z.infer<typeof bookingHistoryEntrySchema>;
