import { afterAll, describe, expect, test } from "@jest/globals";
import {
  A4,
  CARD,
  cardZone,
  NUMBERS_READ,
  newReviewer,
  PASSPORT_PAGE,
  type PrintedPage,
  passportZone,
  pdfWithMargin,
  printPdf,
  type ScanOptions,
  scanDocument,
  visaZone,
} from "@travel-booking/document-reviewer/testing";
import sharp from "sharp";

const ADA = { surname: "LOVELACE", givenNames: "ADA KING", expiresOn: "360101" };

const reviewer = newReviewer();
afterAll(() => reviewer.stop());

const PASSPORT: PrintedPage = { size: PASSPORT_PAGE, zone: passportZone(ADA) };
const VISA: PrintedPage = { size: PASSPORT_PAGE, zone: visaZone(ADA) };
const IDENTITY_CARD: PrintedPage = { size: CARD, zone: cardZone(ADA) };
const ON_A4: Pick<ScanOptions, "sheet" | "at"> = { sheet: A4, at: { x: 95, y: 120 } };

const read = (documentCode: string) => ({
  outcome: "read",
  source: "scan",
  zone: {
    documentCode,
    surname: ["LOVELACE"],
    givenNames: ["ADA", "KING"],
    namesCutOff: false,
    expiresOn: "360101",
    number: NUMBERS_READ[documentCode as keyof typeof NUMBERS_READ],
  },
  names: [],
});

/** What lies on the glass around it may be anything. */
const around = ({ width, height }: PrintedPage["size"], margin: number): Pick<ScanOptions, "sheet" | "at"> => ({
  sheet: { width: width + 2 * margin, height: height + 2 * margin },
  at: { x: width / 2 + margin, y: height / 2 + margin },
});

describe("on a sheet of A4 is read", () => {
  test.each<readonly [string, number, number, string, PrintedPage]>([
    ["a passport", 150, 0, "P", PASSPORT],
    ["a passport", 150, 90, "P", PASSPORT],
    ["a passport", 300, 180, "P", PASSPORT],
    ["an identity card", 150, 270, "I", IDENTITY_CARD],
    ["an identity card", 300, 90, "I", IDENTITY_CARD],
    ["a passport, askew", 150, 1.7, "P", PASSPORT],
    ["a passport, askew", 300, 180 - 4, "P", PASSPORT],
    ["a visa, askew", 200, 270 + 4, "V", VISA],
  ])("%s, at %d dots per inch, turned by %d degrees", async (_, dotsPerInch, turn, code, page) => {
    const scan = await scanDocument(await printPdf(page), { ...ON_A4, dotsPerInch, turn });
    expect(await reviewer.read(scan, "image/png")).toStrictEqual(read(code));
  });
});

describe("is read", () => {
  test.each([
    ["a passport", "P", PASSPORT, 3],
    ["an identity card", "I", IDENTITY_CARD, -3],
  ])("%s (%s) with a pattern in its background, photographed at a slant", async (_, code, page, turn) => {
    const printed = await printPdf({ ...page, hasPattern: true });
    const scan = await scanDocument(printed, { ...around(page.size, 12), dotsPerInch: 250, turn, noise: 10 });
    const photograph = await sharp(scan).blur(0.6).jpeg({ quality: 75 }).toBuffer();
    expect(await reviewer.read(photograph, "image/jpeg")).toStrictEqual(read(code));
  });

  test("a passport in a page of a PDF with margins", async () => {
    const scan = await scanDocument(await printPdf(PASSPORT), {
      ...around(PASSPORT_PAGE, 1),
      dotsPerInch: 300,
      turn: 0,
    });
    const pdf = await pdfWithMargin(scan, 127, 40);
    expect(await reviewer.read(pdf, "application/pdf")).toStrictEqual(read("P"));
  });
});

describe("is not read", () => {
  test("a sheet with two documents", async () => {
    const [upper, lower] = await Promise.all(
      [PASSPORT.zone, passportZone({ ...ADA, surname: "BYRON" })].map(async (zone) =>
        scanDocument(await printPdf({ ...PASSPORT, zone }), { ...around(PASSPORT_PAGE, 8), dotsPerInch: 200, turn: 0 }),
      ),
    );
    const { width = 0, height = 0 } = await sharp(upper).metadata();
    const both = await sharp({ create: { width, height: 2 * height, channels: 3, background: "white" } })
      .composite([
        { input: upper!, left: 0, top: 0 },
        { input: lower!, left: 0, top: height },
      ])
      .png()
      .toBuffer();
    expect(await reviewer.read(both, "image/png")).toStrictEqual({ outcome: "unreadable", documentCode: "P" });
  });

  test("a sheet of noise", async () => {
    const size = { width: 30, height: 20 };
    const blank = await printPdf({ size, zone: [] });
    const noise = await scanDocument(blank, { ...around(size, 5), dotsPerInch: 300, turn: 0, noise: 400 });
    expect(await reviewer.read(noise, "image/png")).toStrictEqual({ outcome: "unreadable", documentCode: null });
  });
});
