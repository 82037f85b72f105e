import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { deriveKey, loadOrCreateSecret, TextSealer, UnsealFailed } from "@travel-booking/runtime";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "secrets-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

test("a secret is created once, readable by its owner only, and then loaded", () => {
  const file = path.join(folder, "secret-key");
  const secret = loadOrCreateSecret(file);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(loadOrCreateSecret(file)).toBe(secret);
  expect(loadOrCreateSecret(path.join(folder, "other")) === secret).toBe(false);
});

test("an empty file is an error, and file system errors pass", () => {
  const file = path.join(folder, "empty");
  fs.writeFileSync(file, "\n");
  expect(() => loadOrCreateSecret(file)).toThrow(
    `${file} is empty: restore it, or remove it to have a new secret made`,
  );
  expect(() => loadOrCreateSecret(path.join(folder, "none", "x"))).toThrow("ENOENT");
});

test("every purpose has its own key", () => {
  const keys = ["tokens", "cursors"].map((purpose) => Buffer.from(deriveKey("secret", purpose)).toString("hex"));
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(keys[0] === keys[1]).toBe(false);
  expect(Buffer.from(deriveKey("secret", "tokens")).toString("hex")).toBe(keys[0]);
  expect(Buffer.from(deriveKey("other", "tokens")).toString("hex") === keys[0]).toBe(false);
});

const sealed = new TextSealer([new Uint8Array(32).fill(7)]);

describe("a sealed text", () => {
  test.each(["", "whsec_c2VjcmV0", "ümläut 🚀", "x".repeat(100_000)])("is unsealed in its context: %#", (text) => {
    const once = sealed.seal(text, "whe_1");
    expect(sealed.unseal(once, "whe_1")).toBe(text);
    expect(once).not.toBe(sealed.seal(text, "whe_1"));
    if (text !== "") expect(Buffer.from(once, "base64url").includes(text)).toBe(false);
  });

  test("of another key is unsealed where that is known, and sealed anew once", () => {
    const [key, other] = [new Uint8Array(32).fill(8), new Uint8Array(32).fill(7)];
    const former = sealed.seal("secret", "whe_1");
    const both = new TextSealer([key, other]);
    expect(both.unseal(former, "whe_1")).toBe("secret");
    const anew = both.reseal(former, "whe_1") as string;
    expect(new TextSealer([key]).unseal(anew, "whe_1")).toBe("secret");
    expect(both.reseal(anew, "whe_1")).toBeUndefined();
    expect(() => both.reseal(former, "whe_2")).toThrow(UnsealFailed);
  });

  test("is unsealed in no other context, under no other key, and not if a bit of it changed", () => {
    const text = sealed.seal("secret", "whe_1");
    expect(() => sealed.unseal(text, "whe_2")).toThrow(UnsealFailed);
    expect(() => new TextSealer([new Uint8Array(32).fill(8)]).unseal(text, "whe_1")).toThrow(UnsealFailed);
    const bytes = Buffer.from(text, "base64url");
    for (let at = 0; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
      expect(() => sealed.unseal(damaged.toString("base64url"), "whe_1")).toThrow(UnsealFailed);
    }
    for (const broken of ["", "AAAA", text.slice(0, 20)])
      expect(() => sealed.unseal(broken, "whe_1")).toThrow(UnsealFailed);
  });
});
