import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** A font package of npm. It has one file per subset of its characters, and a list of the subsets (`unicode.json`). */
interface Font {
  readonly family: string;
  readonly folder: string;
  /** The end of the file names, after the subset. */
  readonly suffix: string;
  readonly weight: string;
  /** The characters to use it for, if it has others only in part or claims to have them. */
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

/** A character is drawn with the first of these fonts that has it. */
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

/** A font file for a part of the font's characters. */
interface Face {
  readonly font: Font;
  readonly subset: string;
  /** In CSS notation: `U+0041-005A,U+00DF`. */
  readonly range: string;
}

/** More than the names of any party need. A page with hundreds of faces would take seconds. */
const MAX_FACES = 64;

export interface PageFonts {
  /** `@font-face` rules with the font data, so that a page looks the same on every machine. */
  readonly rules: string;
  /** The value of `font-family`. */
  readonly families: string;
}

/**
 * The faces with the characters of this text, in the order of the text. Characters without a face are drawn with the
 * machine's fonts.
 */
export function fontsFor(text: string): PageFonts {
  const faces = new Set(latinMono);
  for (const character of new Set(text)) {
    if (faces.size === MAX_FACES) break;
    const face = faceOf.get(character.codePointAt(0) ?? 0);
    if (face !== undefined) faces.add(face);
  }
  const used = new Set(Array.from(faces, ({ font }) => font));
  const families = FONTS.filter((font) => used.has(font)).map(({ family }) => `"${family}"`);
  return { rules: Array.from(faces, faceRule).join("\n"), families: [...families, "sans-serif"].join() };
}

function facesOf(font: Font): readonly Face[] {
  const ranges: Readonly<Record<string, string>> = require(`${font.folder}/unicode.json`);
  return Object.entries(ranges).map(([subset, range]) => ({ font, subset, range }));
}

const latinMono = facesOf(MONO).filter(({ subset }) => subset === "latin");
const faceOf = indexFaces();

/** The face of each code point: of the first font for it, and within that font the last one, as in CSS. */
function indexFaces(): ReadonlyMap<number, Face> {
  const index = new Map<number, Face>();
  for (const face of FONTS.flatMap(facesOf)) {
    for (const [first, last] of parseRanges(face.range)) {
      for (let code = first; code <= last; code += 1) {
        const known = index.get(code);
        const isFor = known === undefined ? face.font.only.test(String.fromCodePoint(code)) : known.font === face.font;
        if (isFor) index.set(code, face);
      }
    }
  }
  return index;
}

function parseRanges(range: string): readonly (readonly [first: number, last: number])[] {
  return range.split(",").map((part) => {
    const [first = 0, last = first] = part
      .trim()
      .slice("U+".length)
      .split("-")
      .map((digits) => Number.parseInt(digits, 16));
    return [first, last];
  });
}

/** Numbered subsets are `[7]` in the list, but `7` in file names. */
function faceRule({ font: { family, folder, suffix, weight }, subset, range }: Face): string {
  const name = `${folder.slice(folder.indexOf("/") + 1)}-${subset.replace(/[[\]]/g, "")}-${suffix}`;
  const data = readFileSync(require.resolve(`${folder}/files/${name}.woff2`)).toString("base64");
  return `@font-face{font-family:"${family}";font-weight:${weight};src:url(data:font/woff2;base64,${data}) format("woff2");unicode-range:${range}}`;
}
