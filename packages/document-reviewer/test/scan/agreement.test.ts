import { beforeAll, describe, expect, test } from "@jest/globals";
import { decodeGreyImage, type GreyImage } from "../../src/scan/grey-image.ts";
import { CpuBudget, type OcrEngine } from "../../src/scan/ocr-engine.ts";
import { readScan } from "../../src/scan/read-scan.ts";
import { PASSPORT_PAGE, passportZone, printPdf, scanDocument } from "../../testing/index.ts";

const ADA = { surname: "LOVELACE", givenNames: "ADA KING", expiresOn: "360101" };
const TRUE = passportZone(ADA);
const LETTER_FOR_FILLER = passportZone({ ...ADA, givenNames: "ADA KKING" });
const OTHER_LETTER = passportZone({ ...ADA, givenNames: "ADA KIMG" });
const MINUTE_MS = 60_000;

const READ = {
  outcome: "read",
  source: "scan",
  zone: {
    documentCode: "P",
    surname: ["LOVELACE"],
    givenNames: ["ADA", "KING"],
    namesCutOff: false,
    expiresOn: "360101",
    number: "1898902C3",
  },
};
const UNREAD = { outcome: "unreadable", documentCode: "P" };

let picture: GreyImage;
beforeAll(async () => {
  const at = { x: PASSPORT_PAGE.width / 2, y: PASSPORT_PAGE.height / 2 };
  const printed = await printPdf({ size: PASSPORT_PAGE, zone: TRUE });
  picture = await decodeGreyImage(await scanDocument(printed, { sheet: PASSPORT_PAGE, at, dotsPerInch: 200, turn: 0 }));
});

/** An OCR engine that returns one reading after another, and then always the last one. */
function eyesThatRead(...readings: readonly (readonly string[])[]): OcrEngine & { looks: number } {
  return {
    looks: 0,
    async recognizeLines() {
      this.looks += 1;
      return readings[Math.min(this.looks, readings.length) - 1] ?? [];
    },
  };
}

describe("a reading is taken for true", () => {
  test("once two others agree with it", async () => {
    const ocr = eyesThatRead(TRUE, OTHER_LETTER, TRUE, TRUE);
    expect(await readScan(picture, ocr, new CpuBudget(MINUTE_MS))).toStrictEqual(READ);
    expect(ocr.looks).toBe(4);
  });

  test("not while all of them differ", async () => {
    const names = ["KIMG", "KINC", "KLNG", "XING", "HING", "RING"].map((name) =>
      passportZone({ ...ADA, givenNames: `ADA ${name}` }),
    );
    expect(await readScan(picture, eyesThatRead(...names, []), new CpuBudget(MINUTE_MS))).toStrictEqual(UNREAD);
  });

  test("never where the shapes of the letters contradict it, however many agree", async () => {
    const budget = new CpuBudget(MINUTE_MS);
    expect(await readScan(picture, eyesThatRead(LETTER_FOR_FILLER), budget)).toStrictEqual(UNREAD);
  });

  test("whichever way up it was read", async () => {
    const ocr = eyesThatRead([], TRUE);
    expect(await readScan(picture, ocr, new CpuBudget(MINUTE_MS))).toStrictEqual(READ);
  });
});

describe("where no place of a zone is found", () => {
  const dots = (): GreyImage => {
    const { width, height } = { width: 640, height: 400 };
    const pixels = new Uint8Array(width * height).fill(255);
    // Forty dots of the size of letters, no two of them in a line.
    for (let dot = 0; dot < 40; dot += 1) {
      for (let at = 0; at < 64; at += 1) pixels[(dot * 9 + (at >> 3)) * width + ((dot * 171) % 600) + (at & 7)] = 0;
    }
    return { width, height, pixels };
  };

  test("the picture is read as a whole, in every direction, until three readings agree", async () => {
    const ocr = eyesThatRead([], [], TRUE, OTHER_LETTER, TRUE, TRUE);
    expect(await readScan(dots(), ocr, new CpuBudget(MINUTE_MS))).toStrictEqual(READ);
    expect(ocr.looks).toBe(6);
  });

  test("two that agree are not enough", async () => {
    const ocr = eyesThatRead(TRUE, OTHER_LETTER, TRUE, []);
    expect(await readScan(dots(), ocr, new CpuBudget(MINUTE_MS))).toStrictEqual(UNREAD);
  });
});

test("nothing is looked at once budget is at an end", async () => {
  const ocr = eyesThatRead(TRUE);
  expect(await readScan(picture, ocr, new CpuBudget(0))).toStrictEqual({ outcome: "unreadable", documentCode: null });
  expect(ocr.looks).toBe(0);
});
