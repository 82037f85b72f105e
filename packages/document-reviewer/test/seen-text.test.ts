import { afterAll, describe, expect, test } from "@jest/globals";
import {
  degrees,
  PDFDocument,
  type PDFFont,
  type PDFPage,
  popGraphicsState,
  pushGraphicsState,
  rgb,
  StandardFonts,
  setTextRenderingMode,
  TextRenderingMode,
} from "pdf-lib";
import { imageOfZone, newReviewer, onePage, passportZone, rawPdf, streamObject } from "../testing/index.ts";

const ADA = { surname: "LOVELACE", givenNames: "ADA KING", expiresOn: "360101" };
const ZONE = passportZone(ADA);
const WHITE = rgb(1, 1, 1);

const reviewer = newReviewer();
afterAll(() => reviewer.stop());

type Options = Parameters<PDFPage["drawText"]>[1];
/** Draws lines on a page of 500 by 350 points, where 17 points is the size of a passport's zone. */
type Draw = (page: PDFPage, font: PDFFont, lines: readonly string[]) => void;

function written(options: Options = {}, size = 17, x = 20, y = 25): Draw {
  return (page, font, lines) => {
    for (const [index, line] of lines.entries()) {
      page.drawText(line, { x, y: y + size * 1.5 * (lines.length - 1 - index), size, font, ...options });
    }
  };
}

function inMode(mode: TextRenderingMode, draw: Draw): Draw {
  return (page, font, lines) => {
    page.pushOperators(pushGraphicsState(), setTextRenderingMode(mode));
    draw(page, font, lines);
    page.pushOperators(popGraphicsState());
  };
}

/** Draws something white over a part of the text. */
function covered(draw: Draw, x: number, width: number): Draw {
  return (page, font, lines) => {
    draw(page, font, lines);
    page.drawRectangle({ x, y: 0, width, height: 100, color: WHITE });
  };
}

const invisible = inMode(TextRenderingMode.Invisible, written());

async function pageWith(
  draw: Draw,
  lines: readonly string[] = ZONE,
  fontName = StandardFonts.Courier,
): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(fontName);
  const page = pdf.addPage([500, 350]);
  page.drawText("THIS IS A PICTURE OF A CAT", { x: 40, y: 300, size: 20, font });
  draw(page, font, lines);
  return Buffer.from(await pdf.save());
}

async function scanWith(layer: Draw, lines: readonly string[], order: "above" | "below"): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Courier);
  const page = pdf.addPage([500, 350]);
  const picture = await pdf.embedPng(await (await imageOfZone(ZONE)).png().toBuffer());
  if (order === "below") layer(page, font, lines);
  page.drawImage(picture, { x: 0, y: 0, width: 500, height: 350 });
  if (order === "above") layer(page, font, lines);
  return Buffer.from(await pdf.save());
}

async function sourceOf(content: Buffer): Promise<string> {
  const reading = await reviewer.read(content, "application/pdf");
  if (reading.outcome !== "read") return reading.outcome;
  const { surname, givenNames, expiresOn } = reading.zone;
  expect([surname, givenNames, expiresOn]).toStrictEqual([["LOVELACE"], ["ADA", "KING"], "360101"]);
  return reading.source;
}

describe("text that the page shows counts", () => {
  test.each<readonly [string, Draw, StandardFonts]>([
    ["as a passport prints it", written(), StandardFonts.Courier],
    ["small, in another font", written({}, 6), StandardFonts.Helvetica],
    ["in outlines", inMode(TextRenderingMode.Outline, written()), StandardFonts.CourierBold],
    ["half transparent", written({ opacity: 0.5 }), StandardFonts.Courier],
    ["in grey", written({ color: rgb(0.6, 0.6, 0.6) }), StandardFonts.TimesRoman],
  ])("%s", async (_, draw, font) => {
    expect(await sourceOf(await pageWith(draw, ZONE, font))).toBe("text");
  });

  test("with its wrong check digits", async () => {
    const [first, second] = ZONE;
    const wrong = [first, second.replace("360101", "460101")];
    expect(await sourceOf(await pageWith(written(), wrong))).toBe("wrong_check_digits");
    expect(await sourceOf(await pageWith(invisible, wrong))).toBe("unreadable");
  });
});

describe("text that nobody sees is no document", () => {
  test.each<readonly [string, Draw]>([
    ["without opacity", written({ opacity: 0 })],
    ["next to none", written({ opacity: 0.05 })],
    ["drawn invisibly", invisible],
    ["as a clipping path", inMode(TextRenderingMode.FillAndClip, written({ color: WHITE }))],
    ["white on white", written({ color: WHITE })],
    ["nearly white", written({ color: rgb(0.95, 0.95, 0.95) })],
    ["off the page", written({}, 17, 20, -200)],
    ["under something else", covered(written(), 0, 500)],
    ["tiny", written({}, 0.5)],
  ])("%s", async (_, draw) => {
    expect(await sourceOf(await pageWith(draw))).toBe("unreadable");
  });
});

describe("what text and page disagree on waits for an operator", () => {
  test.each<readonly [string, Draw]>([
    ["half of it covered", covered(written(), 250, 250)],
    ["a letter of the name covered", covered(written(), 20 + 10.2 * 7, 10.2)],
    ["half of it off the page", written({}, 17, 250)],
  ])("%s", async (_, draw) => {
    expect(await sourceOf(await pageWith(draw))).toBe("unreadable");
  });

  test("other letters than are drawn", async () => {
    const drawn = passportZone({ ...ADA, surname: "KING", givenNames: "ADA" });
    // Maps code by code, so that KING ADA is drawn but the text is MARY IVI.
    const meant = [..."KINGAD"].map((letter, at) => `<${hex(letter)}> <00${hex("MARYIV".charAt(at))}>`).join("\n");
    const map = `begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <00> <FF> <0000> endbfrange 6 beginbfchar ${meant} endbfchar endcmap`;
    const [first, second] = drawn;
    const text = `BT /F 17 Tf 20 50 Td (${first}) Tj 0 -25 Td (${second}) Tj ET`;
    const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 5 0 R >>";
    const page = `/Contents 4 0 R /MediaBox [0 0 500 350] /Resources << /Font << /F ${font} >> >>`;
    const content = rawPdf(onePage("", page, streamObject("", Buffer.from(text)), streamObject("", Buffer.from(map))));
    expect(await sourceOf(content)).toBe("unreadable");
  });
});

const hex = (letter: string) => letter.charCodeAt(0).toString(16).toUpperCase();

describe("the layer of text of a scan is a hint at most", () => {
  const [first, second] = ZONE;
  test.each<readonly [string, Draw, readonly string[], "above" | "below"]>([
    ["with a wrong letter in the name", invisible, [first.replace("LOVELACE", "LOVELAGE"), second], "above"],
    ["with a wrong digit", invisible, [first, second.replace("L898902C3", "L8989O2C3")], "above"],
    ["behind the picture, wrong", written(), [first.replace("LOVELACE", "LOVELAGE"), second], "below"],
  ])("%s: the picture decides", async (_, draw, lines, order) => {
    expect(await sourceOf(await scanWith(draw, lines, order))).toBe("scan");
  });
});

test("text that stands upright on the page, or on a page that is turned, is read as it is seen", async () => {
  const upright: Draw = (page, font, lines) => {
    page.setSize(500, 500);
    for (const [index, line] of lines.entries()) {
      page.drawText(line, { x: 400 + 25 * index, y: 20, size: 17, font, rotate: degrees(90) });
    }
  };
  const turned: Draw = (page, font, lines) => {
    written()(page, font, lines);
    page.setRotation(degrees(90));
  };
  expect([await sourceOf(await pageWith(upright)), await sourceOf(await pageWith(turned))]).toStrictEqual([
    "scan",
    "scan",
  ]);
});
