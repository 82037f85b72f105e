import { z } from "zod";
import { phrase } from "./phrase.ts";

export const wholeNumber = z.int({ error: phrase });

/** Cents. */
export const cents = wholeNumber.min(0);

/** ISO 4217. */
export const currency = z.string({ error: phrase }).regex(/^[A-Z]{3}$/, "must be an ISO 4217 code, such as USD");
