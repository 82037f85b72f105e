import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** A5 landscape, in millimetres: half of an A4 sheet, and legible on a screen. */
export const PAPER = { width: 210, height: 148 };

/** In millimetres, but a browser rounds edges and lines to whole pixels, which shows in a dot and in small text. */
export const STYLES = `
@page { size: ${PAPER.width}mm ${PAPER.height}mm; margin: 0 }
* { box-sizing: border-box; margin: 0 }
:root { --ink: #10162f; --soft: #5a6281; --line: #d5d9e8; --accent: #3f3bd1; --tint: #f3f4fb }
html { -webkit-print-color-adjust: exact; print-color-adjust: exact }
body { font-family: "Inter", sans-serif; font-size: 3.1mm; line-height: 1.35; color: var(--ink); font-feature-settings: "cv11" }
.pass { width: ${PAPER.width}mm; height: ${PAPER.height}mm; padding: 8mm; break-after: page; overflow: hidden }
.pass:last-child { break-after: auto }
.card { display: grid; grid-template-columns: 1fr 50mm; width: 100%; height: 100%; border: .3mm solid var(--line); border-radius: 5mm; overflow: hidden }
.main { display: grid; grid-template-rows: auto auto auto auto 1fr; min-width: 0 }
.stub { display: flex; flex-direction: column; min-width: 0; border-left: .4mm dashed #aab0cc }
.band { display: flex; align-items: center; justify-content: space-between; gap: 4mm; height: 14mm; padding: 0 7mm; background: var(--ink); color: #fff }
.stub .band { padding: 0 5mm }
.band b { font-size: 4.2mm; font-weight: 650; letter-spacing: -.01em; white-space: nowrap }
.band span { font-size: 3mm; font-weight: 550; color: #c9cdf5; white-space: nowrap }
.label { display: block; font-size: 2.25mm; font-weight: 600; letter-spacing: .07em; text-transform: uppercase; color: var(--soft); white-space: nowrap }
.who { padding: 4.4mm 7mm 0 }
.name { font-weight: 680; letter-spacing: -.015em; line-height: 1.22; overflow-wrap: anywhere; overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2 }
.name.size-0 { font-size: 7.6mm } .name.size-1 { font-size: 6mm } .name.size-2 { font-size: 4.6mm } .name.size-3 { font-size: 3.9mm } .name.size-4 { font-size: 3.2mm; -webkit-line-clamp: 3 }
.written { margin-top: .5mm; font-family: "JetBrains Mono", monospace; font-weight: 500; font-size: 2.6mm; color: var(--soft) }
.way { display: grid; grid-template-columns: auto 1fr minmax(0, auto); align-items: start; gap: 5mm; padding: 4.6mm 7mm 5mm }
.port { min-width: 0 }
.port > div { display: flex; align-items: center; min-height: 12mm }
.port.to > div { justify-content: flex-end }
.port strong { font-weight: 760; letter-spacing: -.02em; line-height: 1.1; overflow-wrap: anywhere }
.port.from strong { font-size: 9.5mm }
.port.to { max-width: 78mm; text-align: right }
.port.to strong { overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2 }
.port.to strong.size-0 { font-size: 9.5mm } .port.to strong.size-1 { font-size: 7mm } .port.to strong.size-2 { font-size: 5mm; line-height: 1.2 } .port.to strong.size-3 { text-align: left; font-size: 3.5mm; line-height: 1.2; -webkit-line-clamp: 3 }
.course { position: relative; min-width: 12mm; height: 7mm; margin-top: 5.4mm }
.course svg { width: 100%; height: 100%; overflow: visible }
.facts { display: grid; grid-template-columns: 1.35fr 1.15fr .8fr .8fr .9fr; margin: 0 7mm; border: .3mm solid var(--line); border-radius: 2.6mm; background: var(--tint) }
.fact { padding: 2.3mm 3mm 2.1mm; min-width: 0; border-left: .3mm solid var(--line) }
.fact:first-child { border-left: 0 }
.fact strong { display: block; font-size: 5.4mm; font-weight: 700; letter-spacing: -.01em; line-height: 1.2; white-space: nowrap }
.fact small { display: block; font-size: 2.5mm; color: var(--soft); white-space: nowrap }
.fact.first { background: var(--accent); border-radius: 2.3mm 0 0 2.3mm }
.fact.first, .fact.first .label, .fact.first small { color: #fff }
.foot { display: grid; grid-template-columns: 88mm minmax(0, 1fr); gap: 7mm; align-items: center; padding: 4mm 7mm 5mm }
.code svg { display: block; width: 100%; height: auto }
.notes { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2.2mm }
.notes p { font-size: 2.6mm; line-height: 13px; overflow-wrap: anywhere }
.notes .mono { font-family: "JetBrains Mono", monospace; font-weight: 500; font-size: 2.9mm; line-height: 1.2; overflow-wrap: anywhere; overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3 }
.check { display: flex; gap: 1.6mm; align-items: flex-start; font-weight: 550 }
.check::before { content: ""; flex: none; width: 7px; height: 7px; margin-top: .75mm; border-radius: 50%; background: #12855a }
.check.pending::before { background: #c77700 } .check.missing::before { background: #c8283c }
.stub .body { flex: 1; display: flex; flex-direction: column; justify-content: space-between; gap: 2.2mm; padding: 4.4mm 5mm 4.6mm; min-height: 0 }
.stub .name.size-0 { font-size: 4.4mm } .stub .name.size-1, .stub .name.size-2 { font-size: 3.6mm } .stub .name.size-3, .stub .name.size-4 { font-size: 2.9mm; -webkit-line-clamp: 3 }
.stub .line { font-weight: 600; font-size: 3.3mm; line-height: 1.25; overflow-wrap: anywhere; overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2 }
.stub .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 3mm }
.stub .pair strong { display: block; font-size: 5mm; font-weight: 700; line-height: 1.2 }
.stub .seat { display: flex; gap: 2mm; align-items: flex-end; justify-content: space-between; border-top: .3mm solid var(--line); padding-top: 2.6mm }
.stub .seat strong { font-size: 12mm; font-weight: 780; letter-spacing: -.03em; line-height: 1 }
.stub .seat strong.size-1 { font-size: 9mm }
`;

const require = createRequire(import.meta.url);

interface Face {
  readonly family: string;
  readonly weight: string;
  readonly file: string;
  /** As its publisher says. */
  readonly range: string;
}

const LATIN =
  "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD";
const INTER: Readonly<Record<string, string>> = {
  "cyrillic-ext": "U+0460-052F,U+1C80-1C8A,U+20B4,U+2DE0-2DFF,U+A640-A69F,U+FE2E-FE2F",
  cyrillic: "U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116",
  "greek-ext": "U+1F00-1FFF",
  greek: "U+0370-0377,U+037A-037F,U+0384-038A,U+038C,U+038E-03A1,U+03A3-03FF",
  vietnamese:
    "U+0102-0103,U+0110-0111,U+0128-0129,U+0168-0169,U+01A0-01A1,U+01AF-01B0,U+0300-0301,U+0303-0304,U+0308-0309,U+0323,U+0329,U+1EA0-1EF9,U+20AB",
  "latin-ext":
    "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF",
  latin: LATIN,
};

const FACES: readonly Face[] = [
  ...Object.entries(INTER).map(([subset, range]) => ({
    family: "Inter",
    weight: "100 900",
    file: `@fontsource-variable/inter/files/inter-${subset}-wght-normal.woff2`,
    range,
  })),
  ...["500", "700"].map((weight) => ({
    family: "JetBrains Mono",
    weight,
    file: `@fontsource/jetbrains-mono/files/jetbrains-mono-latin-${weight}-normal.woff2`,
    range: LATIN,
  })),
];

let rules: string | undefined;

/** The fonts are embedded in the page, so it prints alike on every machine. */
export function fontRules(): string {
  rules ??= FACES.map(({ family, weight, file, range }) => {
    const data = readFileSync(require.resolve(file)).toString("base64");
    return `@font-face{font-family:"${family}";font-weight:${weight};src:url(data:font/woff2;base64,${data}) format("woff2");unicode-range:${range}}`;
  }).join("\n");
  return rules;
}
