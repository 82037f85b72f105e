import { z } from "zod";
import { validationMessage } from "../fields/validation-message.ts";

/** An id the catalogue gives: it stands in paths and in keys of stores, so it is short and plain. */
export const catalogueId = z
  .string({ error: validationMessage })
  .regex(/^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/, "must be 1 to 64 letters, digits or any of . _ ~ -");
