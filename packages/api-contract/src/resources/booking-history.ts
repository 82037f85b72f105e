import { z } from "zod";
import { ACTOR_KINDS } from "../enumerations.ts";
import { oneOf, strictObject } from "../fields/objects.ts";
import { outputId, outputText } from "../fields/text.ts";
import { utcDateTime } from "../fields/time.ts";

export const actorSchema = strictObject({
  kind: oneOf(ACTOR_KINDS).describe("Whether a client, the operator or time itself brought it about."),
  id: outputId.describe("Which credential, operator or part of the service."),
}).meta({ id: "Actor", description: "Who or what brought something about." });

export const bookingHistoryEntrySchema = strictObject({
  id: outputId.describe("Identifies the entry."),
  type: outputText(64).describe("What happened, such as `booking.created` or `transfer.received`."),
  createdAt: utcDateTime.describe("When it happened."),
  actor: actorSchema,
  requestId: outputText(128).nullable().describe("The `X-Request-Id` of the request that caused it, if one did."),
  changes: z.record(z.string(), z.unknown()).describe("The facts of it, by name; they depend on `type`."),
}).meta({ id: "BookingHistoryEntry", description: "Something that happened to a booking." });
export type BookingHistoryEntry = z.infer<typeof bookingHistoryEntrySchema>;
