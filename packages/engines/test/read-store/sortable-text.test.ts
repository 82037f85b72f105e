import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { readText, writeText } from "../../src/read-store/lmdb/keys.ts";

const anyText = fc
  .array(fc.oneof(fc.constantFrom(0, 0x7f, 0x80, 0x7ff, 0x800, 0xd800, 0xdfff, 0xe000, 0xffff), fc.nat(0xffff)), {
    maxLength: 12,
  })
  .map((units) => String.fromCharCode(...units));

function written(text: string): Buffer {
  const target = Buffer.alloc(64);
  return target.subarray(0, writeText(text, target, 0, target.length));
}

describe("text as bytes", () => {
  test("comes back as it was", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const bytes = written(text);
        expect(readText(bytes, 0, bytes.length)).toBe(text);
      }),
    );
  });

  test("sorts as the text does, by code unit", () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        expect(Buffer.compare(written(one), written(other))).toBe(one < other ? -1 : one === other ? 0 : 1);
      }),
    );
  });

  test.each(["ab", "é", "\uffff"])("does not write %j beyond the limit", (text) => {
    const target = Buffer.alloc(8);
    expect(writeText(text, target, 0, Buffer.byteLength(text) - 1)).toBe(-1);
    expect(target[Buffer.byteLength(text) - 1]).toBe(0);
  });
});
