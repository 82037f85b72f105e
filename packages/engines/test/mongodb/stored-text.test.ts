import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { decodeText, encodeText } from "../../src/mongodb/index.ts";

const edges = fc.constantFrom(
  0,
  1,
  2,
  0x7f,
  0x80,
  0x7ff,
  0x800,
  0xd7ff,
  0xd800,
  0xdbff,
  0xdc00,
  0xdfff,
  0xe000,
  0xffff,
);
const anyText = fc
  .array(fc.oneof(edges, fc.nat(0xffff)), { maxLength: 12 })
  .map((units) => String.fromCharCode(...units));

test("any text comes back as it was", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(decodeText(encodeText(text))).toBe(text);
    }),
  );
});

test("what is stored is UTF-8 without U+0000", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const encoded = encodeText(text);
      expect([encoded.isWellFormed(), encoded.includes("\u0000")]).toStrictEqual([true, false]);
    }),
  );
});

test("the bytes sort as the text does, by code unit", () => {
  fc.assert(
    fc.property(anyText, anyText, (one, other) => {
      const order = Buffer.compare(Buffer.from(encodeText(one)), Buffer.from(encodeText(other)));
      expect(order).toBe(one < other ? -1 : one === other ? 0 : 1);
    }),
  );
});

test.each(["", "bkg_01J", "acc_1/bkg_2", "Zoë 宇宙"])("%j is stored as it is", (text) => {
  expect(encodeText(text)).toBe(text);
});
