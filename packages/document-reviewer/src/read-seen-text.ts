import type { DocumentReading } from "@travel-booking/domain";
import { type FoundZone, findZones, type ParsedZone } from "./mrz/parse-zone.ts";
import { recoverZone, showsZone } from "./mrz/recover-zone.ts";
import type { OpenPdf, PdfLine } from "./open-pdf.ts";
import { asPng, type GreyImage, resized } from "./scan/grey-image.ts";
import { binarize } from "./scan/ink.ts";
import type { CpuBudget, OcrEngine } from "./scan/ocr-engine.ts";
import { cropRegion } from "./scan/read-region.ts";
import { MAX_SIDE_PIXELS } from "./scan/read-scan.ts";
import type { ZoneRegion } from "./scan/zone-regions.ts";

/** A file with more different zones holds more than one document in any case. */
const MOST_ZONES = 3;
/** Height of a capital letter, as a fraction of the font's size. */
const CAPITAL = 0.7;
/** Pixels of a capital letter in a drawn page. */
const LETTER_HEIGHT = 30;
/** Least pixels of a capital letter when a page is drawn as large as possible. Smaller letters are not legible. */
const LOWEST_LETTER = 10;
/** Of 255: the least change that visible text makes in the page. Paler text is no ink to a reader of scans either. */
const VISIBLE_CHANGE = 46;
/** Least changed fraction of a zone's area. Writing covers ten times as much. */
const LEAST_CHANGED = 0.01;
/** Pixels of a capital letter, in the order of the attempts. */
const READ_AT = [30, 24, 36, 20] as const;

/** A zone in the text of a page that shows it. */
interface SeenZone extends FoundZone<PdfLine> {
  readonly picture: GreyImage;
  readonly region: ZoneRegion;
}

/**
 * Reads the zone in a PDF's text. The text counts only if the page shows it: it must be drawn visibly and large enough,
 * and OCR must read the same. Otherwise the pages are read as pictures.
 * @returns undefined if no zone in the text is visible.
 * @throws FaultyFile
 */
export async function readSeenText(
  pdf: OpenPdf,
  ocr: OcrEngine,
  budget: CpuBudget,
): Promise<DocumentReading | undefined> {
  const zones = new Map(findZones(await pdf.textLines()).map((found) => [keyOf(found), found]));
  if (zones.size > MOST_ZONES) return { outcome: "unreadable", documentCode: null };
  const seen: SeenZone[] = [];
  for (const found of zones.values()) {
    const zone = await seenOnPage(pdf, found);
    if (zone !== undefined) seen.push(zone);
  }
  const [first, ...others] = seen;
  if (first === undefined) return undefined;
  // Only an operator can separate zones of several documents in one file.
  if (others.length > 0) return { outcome: "unreadable", documentCode: first.zone.documentCode };
  return await compareWithPicture(first, ocr, budget);
}

/** If text and picture disagree, an operator has to look at the document. */
async function compareWithPicture(seen: SeenZone, ocr: OcrEngine, budget: CpuBudget): Promise<DocumentReading> {
  const { zone, isConsistent, picture, region } = seen;
  const { documentCode } = zone;
  const unread = { outcome: "unreadable", documentCode } as const;
  const ink = onlyInk(cropRegion(picture, region, false), region);
  let isSame = false;
  for (const height of READ_AT) {
    if (ink === undefined || budget.isSpent) return unread;
    const lines = await ocr.recognizeLines(await asPng(await resized(ink, height / region.letterHeight)), budget);
    isSame ||= showsZone(seen, lines);
    if (isConsistent && isSame) return { outcome: "read", source: "text", zone };
    if (!isConsistent && recoverZone(lines) !== undefined) return unread;
  }
  return isSame ? { outcome: "wrong_check_digits", documentCode } : unread;
}

function keyOf({ isConsistent, zone }: ParsedZone): string {
  return JSON.stringify({ isConsistent, zone });
}

async function seenOnPage(pdf: OpenPdf, found: FoundZone<PdfLine>): Promise<SeenZone | undefined> {
  const { textLines: lines } = found;
  const page = lines[0]?.page ?? 1;
  const size = Math.max(...lines.map((line) => line.size));
  const longest = await pdf.longerSide(page);
  const scale = Math.min(LETTER_HEIGHT / (size * CAPITAL), MAX_SIDE_PIXELS / longest);
  if (!(size * CAPITAL * scale >= LOWEST_LETTER)) return undefined;
  const picture = await pdf.renderGrey(page, longest * scale);
  const region = regionOf(lines, size, scale);
  const without = await pdf.renderGrey(page, longest * scale, false);
  return isChangedIn(region, picture, without) ? { ...found, picture, region } : undefined;
}

/** The region of the picture that these lines fill. */
function regionOf(lines: readonly PdfLine[], size: number, scale: number): ZoneRegion {
  const letterHeight = size * CAPITAL * scale;
  const left = Math.min(...lines.map((line) => line.left)) * scale;
  const right = Math.max(...lines.map((line) => line.right)) * scale;
  const top = Math.min(...lines.map(({ baseline }) => baseline)) * scale - letterHeight;
  const bottom = Math.max(...lines.map(({ baseline }) => baseline)) * scale;
  return {
    middle: { x: (left + right) / 2, y: (top + bottom) / 2 },
    along: { x: 1, y: 0 },
    length: right - left,
    thickness: bottom - top,
    letterHeight,
    score: 1,
  };
}

/** Whether enough of a region differs between two pictures. */
function isChangedIn({ middle, length, thickness }: ZoneRegion, one: GreyImage, other: GreyImage): boolean {
  const from = {
    x: Math.max(0, Math.floor(middle.x - length / 2)),
    y: Math.max(0, Math.floor(middle.y - thickness / 2)),
  };
  const to = { x: Math.min(one.width, middle.x + length / 2), y: Math.min(one.height, middle.y + thickness / 2) };
  let changed = 0;
  for (let y = from.y; y < to.y; y += 1) {
    for (let x = from.x; x < to.x; x += 1) {
      const at = y * one.width + x;
      if (Math.abs((one.pixels[at] as number) - (other.pixels[at] as number)) >= VISIBLE_CHANGE) changed += 1;
    }
  }
  return changed >= length * thickness * LEAST_CHANGED;
}

/** Black where a picture is clearly darker than its surroundings, else white: stretched contrast shows hidden text. */
function onlyInk(picture: GreyImage | undefined, { letterHeight }: ZoneRegion): GreyImage | undefined {
  if (picture === undefined) return undefined;
  const ink = binarize(picture, Math.ceil(letterHeight));
  return { ...picture, pixels: ink.map((isInk) => (isInk === 1 ? 0 : 255)) };
}
