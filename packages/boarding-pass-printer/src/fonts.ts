import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** A font package of npm: a file for each subset of its characters, and which these are (`unicode.json`). */
interface Font {
  readonly family: string;
  readonly folder: string;
  /** Of the file names, behind the subset. */
  readonly suffix: string;
  readonly weight: string;
  /** The characters it is for, where it has others only in part or only says so. */
  readonly only: RegExp;
}

function variable(family: string, only = /./su): Font {
  const id = family.toLowerCase().replaceAll(" ", "-");
  return { family, folder: `@fontsource-variable/${id}`, suffix: "wght-normal", weight: "100 900", only };
}

function bold(family: string): Font {
  const id = family.toLowerCase().replaceAll(" ", "-");
  return { family, folder: `@fontsource/${id}`, suffix: "700-normal", weight: "700", only: /./su };
}

const SCRIPTS = [
  ..."Arabic Armenian Bengali Devanagari Ethiopic Georgian Gujarati Gurmukhi Hebrew Kannada Khmer Lao".split(" "),
  ..."Malayalam Oriya Sinhala Tamil Telugu Thaana Thai".split(" "),
];

/** A character is written in the first that has it. */
const FONTS: readonly Font[] = [
  variable("Inter"),
  ...SCRIPTS.map((script) => variable(`Noto Sans ${script}`)),
  bold("Noto Sans Myanmar"),
  variable("Noto Sans KR", /\p{Script=Hangul}/u),
  variable("Noto Sans JP", /[\p{Script=Hiragana}\p{Script=Katakana}ー]/u),
  ...["SC", "TC", "JP"].map((region) => variable(`Noto Sans ${region}`, /\p{Script=Han}/u)),
];
const MONO: Font = {
  family: "JetBrains Mono",
  folder: "@fontsource/jetbrains-mono",
  suffix: "500-normal",
  weight: "500",
  only: /./su,
};

export interface PageFonts {
  /** `@font-face` rules with the data in them, so a page looks alike on every machine. */
  readonly rules: string;
  /** The value of `font-family`. */
  readonly families: string;
}

/** The fonts for this text, and of them only the parts that have its characters. */
export function fontsFor(text: string): PageFonts {
  const missing = new Set(Array.from(text, (character) => character.codePointAt(0) ?? 0));
  const rules = [faceRule(MONO, "latin", subsetsOf(MONO).latin ?? [])];
  const families: string[] = [];
  for (const font of FONTS) {
    const found = new Set<number>();
    for (const [subset, ranges] of Object.entries(subsetsOf(font))) {
      const here = [...missing].filter((code) => isFor(font, ranges, code));
      if (here.length > 0) rules.push(faceRule(font, subset, ranges));
      for (const code of here) found.add(code);
    }
    if (found.size > 0) families.push(`"${font.family}"`);
    // Only then: ranges of a font's subsets overlap.
    for (const code of found) missing.delete(code);
  }
  return { rules: rules.join("\n"), families: [...families, "sans-serif"].join() };
}

type Range = readonly [first: number, last: number];
type Subsets = Readonly<Record<string, readonly Range[]>>;

function isFor({ only }: Font, ranges: readonly Range[], code: number): boolean {
  return ranges.some(([first, last]) => first <= code && code <= last) && only.test(String.fromCodePoint(code));
}

const subsets = new Map<Font, Subsets>();

function subsetsOf(font: Font): Subsets {
  const known = subsets.get(font);
  if (known !== undefined) return known;
  const ranges: Readonly<Record<string, string>> = require(`${font.folder}/unicode.json`);
  const parsed = Object.fromEntries(Object.entries(ranges).map(([subset, range]) => [subset, parseRanges(range)]));
  subsets.set(font, parsed);
  return parsed;
}

/** `U+0041-005A,U+00DF` */
function parseRanges(text: string): readonly Range[] {
  return text.split(",").map((range) => {
    const [first = 0, last = first] = range
      .trim()
      .slice("U+".length)
      .split("-")
      .map((digits) => Number.parseInt(digits, 16));
    return [first, last];
  });
}

/** Numbered subsets are `[7]` in the list, and `7` in file names. */
function faceRule({ family, folder, suffix, weight }: Font, subset: string, ranges: readonly Range[]): string {
  const name = `${folder.slice(folder.indexOf("/") + 1)}-${subset.replace(/[[\]]/g, "")}-${suffix}`;
  const data = readFileSync(require.resolve(`${folder}/files/${name}.woff2`)).toString("base64");
  const range = ranges.map(([first, last]) => `U+${first.toString(16)}-${last.toString(16)}`).join();
  return `@font-face{font-family:"${family}";font-weight:${weight};src:url(data:font/woff2;base64,${data}) format("woff2");unicode-range:${range}}`;
}
