import { describe, expect, test } from "@jest/globals";
import { TextSealer, UnsealFailed } from "../src/index.ts";

const sealed = new TextSealer(new Uint8Array(32).fill(7));

describe("a sealed text", () => {
  test.each(["", "whsec_c2VjcmV0", "ümläut 🚀", "x".repeat(100_000)])("opens in its place: %#", (text) => {
    const once = sealed.seal(text, "whe_1");
    expect(sealed.unseal(once, "whe_1")).toBe(text);
    expect(once).not.toBe(sealed.seal(text, "whe_1"));
    if (text !== "") expect(Buffer.from(once, "base64url").includes(text)).toBe(false);
  });

  test("opens nowhere else, under no other key, and not where a bit of it changed", () => {
    const text = sealed.seal("secret", "whe_1");
    expect(() => sealed.unseal(text, "whe_2")).toThrow(UnsealFailed);
    expect(() => new TextSealer(new Uint8Array(32).fill(8)).unseal(text, "whe_1")).toThrow(UnsealFailed);
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
