import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { deriveKey, loadOrCreateSecret } from "@travel-booking/runtime";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "secrets-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

test("a secret is made once, for its owner's eyes only, and kept", () => {
  const file = path.join(folder, "secret-key");
  const secret = loadOrCreateSecret(file);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(loadOrCreateSecret(file)).toBe(secret);
  expect(loadOrCreateSecret(path.join(folder, "other")) === secret).toBe(false);
});

test("an empty file is no secret, and what the file system says is passed on", () => {
  const file = path.join(folder, "empty");
  fs.writeFileSync(file, "\n");
  expect(() => loadOrCreateSecret(file)).toThrow(
    `${file} is empty: restore it, or remove it to have a new secret made`,
  );
  expect(() => loadOrCreateSecret(path.join(folder, "none", "x"))).toThrow("ENOENT");
});

test("every purpose has a key of its own", () => {
  const keys = ["tokens", "cursors"].map((purpose) => Buffer.from(deriveKey("secret", purpose)).toString("hex"));
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(keys[0] === keys[1]).toBe(false);
  expect(Buffer.from(deriveKey("secret", "tokens")).toString("hex")).toBe(keys[0]);
  expect(Buffer.from(deriveKey("other", "tokens")).toString("hex") === keys[0]).toBe(false);
});
