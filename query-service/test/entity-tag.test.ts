import { describe, expect, test } from "@jest/globals";
import { entityTag, isNamed } from "../src/reading.ts";

describe("entity tags", () => {
  const tag = entityTag("some text");

  test("are strong, and differ with the text", () => {
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    expect(entityTag("some text")).toBe(tag);
    expect(entityTag("some other text")).not.toBe(tag);
  });

  test.each([
    ["nothing", undefined, false],
    ["an empty list", "", false],
    ["itself", tag, true],
    ["itself, weakened on the way", `W/${tag}`, true],
    ["one of several", `"a" , ${tag},"b"`, true],
    ["others", '"a", "b"', false],
    ["itself without quotes", tag.slice(1, -1), false],
    ["anything", " * ", true],
  ])("If-None-Match naming %s", (_, ifNoneMatch, named) => {
    expect(isNamed(tag, ifNoneMatch)).toBe(named);
  });
});
