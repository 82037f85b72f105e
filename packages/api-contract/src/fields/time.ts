import { z } from "zod";
import { validationMessage } from "./validation-message.ts";

/** A day of the calendar, `YYYY-MM-DD`. */
export const date = z.iso.date({ error: validationMessage }).meta({ maxLength: 10 });

/** With fractions of a second as fine as anybody has them. */
const MAX_LENGTH = 40;

/** A moment as clients send it: ISO 8601 with an offset. */
export const dateTime = z.iso
  .datetime({ offset: true, error: validationMessage })
  .max(MAX_LENGTH, `must have at most ${MAX_LENGTH} characters`)
  .meta({ maxLength: MAX_LENGTH });

/** A moment as the service sends it: ISO 8601 in UTC. */
export const utcDateTime = z.iso.datetime({ error: validationMessage }).meta({ maxLength: 24 });

/** A query parameter that names a day; parsed to the first moment of it in UTC, milliseconds since the epoch. */
export const dayParameter = date.transform((value) => Date.parse(value));

/** A query parameter that names a moment; parsed to milliseconds since the epoch. */
export const instantParameter = dateTime.transform((value) => Date.parse(value));
