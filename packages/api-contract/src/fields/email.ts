import { z } from "zod";
import { validationMessage } from "./validation-message.ts";

/** Dot-atoms before the `@` and at least two host labels behind it, the last beginning with a letter (RFC 5321 §4.1.2, without quoted names and address literals). */
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/;

/** RFC 5321 §4.5.3.1.3: a path has at most 256 octets, its brackets included. */
const MAX_LENGTH = 254;

export const email = z
  .email({ pattern: EMAIL, error: validationMessage })
  .max(MAX_LENGTH, `must have at most ${MAX_LENGTH} characters`);
