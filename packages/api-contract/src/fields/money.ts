import { z } from "zod";
import { validationMessage } from "./validation-message.ts";

/** Any that JavaScript holds exactly. */
export const wholeNumber = z.int({ error: validationMessage }).meta({ format: "int64" });

/** Cents. */
export const cents = wholeNumber
  .min(0)
  .meta({ format: "int64", description: "An amount in cents, the smallest unit of the currency." });

/** ISO 4217. */
export const currency = z
  .string({ error: validationMessage })
  .regex(/^[A-Z]{3}$/, "must be an ISO 4217 code, such as USD")
  .meta({ maxLength: 3, description: "An ISO 4217 currency code." });
