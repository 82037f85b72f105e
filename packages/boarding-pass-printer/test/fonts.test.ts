import { expect, test } from "@jest/globals";
import { fontsFor } from "../src/fonts.ts";

/** The family of each rule, and whether its range has a character. */
function facesIn(rules: string) {
  return rules.split("\n").map((rule) => {
    const [, family = "", range = ""] = /font-family:"([^"]+)".*unicode-range:([^}]+)/.exec(rule) ?? [];
    const ranges = range.split(",").map((part) =>
      part
        .trim()
        .slice(2)
        .split("-")
        .map((digits) => Number.parseInt(digits, 16)),
    );
    const has = (character: string) =>
      ranges.some(([first = 0, last = first]) => {
        const code = character.codePointAt(0) ?? 0;
        return first <= code && code <= last;
      });
    return { family, has };
  });
}

test("each character has a face of the first font that is for it, and each face is there once", () => {
  const text = "Ada Ґалаґан 李小龍陳龢堃 髙橋 さくら 김철수 محمد अमित สมชาย မောင်";
  const { rules, families } = fontsFor(text);
  const faces = facesIn(rules);
  expect(new Set(rules.split("\n")).size).toBe(faces.length);
  for (const character of new Set(text)) {
    expect([character, faces.some(({ family, has }) => family !== "JetBrains Mono" && has(character))]).toStrictEqual([
      character,
      true,
    ]);
  }
  // The Chinese font also has Han characters in their Japanese form.
  expect(families).toBe(
    '"Inter","Noto Sans Arabic","Noto Sans Devanagari","Noto Sans Thai","Noto Sans Myanmar","Noto Sans KR","Noto Sans JP","Noto Sans SC",sans-serif',
  );
});

test("a page has at most 64, for what comes first in its text", () => {
  const han = String.fromCodePoint(...Array.from({ length: 1_800 }, (_, index) => 0x4e00 + index * 11));
  const faces = facesIn(fontsFor(`Ada ${han} محمد`).rules);
  expect(faces.length).toBe(64);
  for (const first of ["A", han.slice(0, 1), han.slice(1, 2)]) expect(faces.some(({ has }) => has(first))).toBe(true);
  expect(faces.some(({ family }) => family === "Noto Sans Arabic")).toBe(false);
});
