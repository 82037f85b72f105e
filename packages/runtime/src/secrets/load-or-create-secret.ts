import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const SECRET_BYTES = 32;

/**
 * The secret in this file; made, with mode 0600 and durably, where there is none. 43 characters of base64url.
 * @throws what the file system says.
 * @throws Error an existing file is empty.
 */
export function loadOrCreateSecret(file: string): string {
  const made = randomBytes(SECRET_BYTES).toString("base64url");
  try {
    writeNew(file, made);
    return made;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const kept = readFileSync(file, "utf8").trim();
  if (kept === "") throw new Error(`${file} is empty: restore it, or remove it to have a new secret made`);
  return kept;
}

/** Fails with EEXIST rather than write over a secret. */
function writeNew(file: string, content: string): void {
  const descriptor = openSync(file, "wx", 0o600);
  try {
    writeSync(descriptor, `${content}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
