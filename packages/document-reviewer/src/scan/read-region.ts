import type { MachineReadableZone } from "@travel-booking/domain";
import { likelyCode, recoverZone } from "../mrz/recover-zone.ts";
import { asPng, type GreyImage, normalised, resized } from "./grey-image.ts";
import { characterCells, endsWithNames, nameEvidence } from "./name-evidence.ts";
import type { CpuBudget, OcrEngine } from "./ocr-engine.ts";
import type { ZoneRegion } from "./zone-regions.ts";

/** Heights of a capital letter in pixels, in the order of the attempts. The most legible comes first. */
const LETTER_HEIGHTS = [25, 33, 20, 28, 40, 23] as const;
/** Pixels of a capital letter at which its shape is clear. */
const SHAPE_HEIGHT = 30;
/** Percent of black pixels. A zone has more ink than this. */
const MOST_BLACK = 1;
/** Readings that must agree if the letter shapes confirm them. */
const REQUIRED_SUPPORTED = 3;
/** If the shapes are no evidence, all readings must agree, and there must be at least this many. */
const REQUIRED_UNSUPPORTED = 4;

/** The result of one region. */
export interface RegionReading {
  readonly zone: MachineReadableZone | undefined;
  /** The document code of something that looks like a zone. */
  readonly code: string | null;
  /** Whether the region has a zone with uncertain names. */
  readonly isDoubtful: boolean;
}

/** Reads a region in both orientations, at several sizes, until enough readings agree. */
export async function readRegion(
  picture: GreyImage,
  region: ZoneRegion,
  ocr: OcrEngine,
  budget: CpuBudget,
): Promise<RegionReading> {
  let code: string | null = null;
  for (const upsideDown of [false, true]) {
    const cropped = cropRegion(picture, region, upsideDown);
    if (cropped === undefined) break;
    const cut = await normalised(cropped, MOST_BLACK);
    const read = async (letterHeight: number) =>
      await ocr.recognizeLines(await asPng(await resized(cut, letterHeight / region.letterHeight)), budget);
    const [first, ...others] = LETTER_HEIGHTS;
    const lines = await read(first);
    const zone = recoverZone(lines)?.zone;
    const ownCode = zone?.documentCode ?? likelyCode(lines);
    code ??= ownCode;
    if (ownCode === null) continue;
    const zones = new ReadingVotes(await shapesOf(cut, region));
    zones.add(zone, lines);
    for (const height of others) {
      if (zones.agreed !== undefined || budget.isSpent) break;
      const again = await read(height);
      zones.add(recoverZone(again)?.zone, again);
    }
    if (zones.count > 0) return { zone: zones.agreed, code, isDoubtful: zones.agreed === undefined };
  }
  return { zone: undefined, code, isDoubtful: false };
}

async function shapesOf(cut: GreyImage, { letterHeight }: ZoneRegion): Promise<readonly string[]> {
  return characterCells(await resized(cut, SHAPE_HEIGHT / letterHeight), SHAPE_HEIGHT);
}

/** The readings of one region. A zone is accepted once enough of them agree. */
class ReadingVotes {
  readonly #fillers: readonly string[];
  readonly #all: MachineReadableZone[] = [];
  readonly #borneOut: MachineReadableZone[] = [];
  #isDoubtful = false;

  constructor(fillers: readonly string[]) {
    this.#fillers = fillers;
  }

  add(zone: MachineReadableZone | undefined, lines: readonly string[]): void {
    if (zone === undefined) return;
    this.#all.push(zone);
    const support = nameEvidence(zone, this.#fillers);
    if (support === "borne_out") this.#borneOut.push(zone);
    if (support !== "borne_out" && !(support === "unknown" && endsWithNames(zone, lines))) this.#isDoubtful = true;
  }

  /** Number of readings so far, accepted or not. */
  get count(): number {
    return this.#all.length;
  }

  get agreed(): MachineReadableZone | undefined {
    const borneOut = consensus(this.#borneOut, REQUIRED_SUPPORTED);
    if (borneOut !== undefined || this.#isDoubtful) return borneOut;
    return consensus(this.#all, Math.max(REQUIRED_UNSUPPORTED, this.count));
  }
}

/** The zone on which at least `needed` readings agree to the last letter. */
export function consensus(zones: readonly MachineReadableZone[], needed: number): MachineReadableZone | undefined {
  const counts = new Map<string, number>();
  for (const zone of zones) {
    const key = JSON.stringify(zone);
    const count = (counts.get(key) ?? 0) + 1;
    if (count >= needed) return zone;
    counts.set(key, count);
  }
  return undefined;
}

/** Margin to each side, in letter heights, for an undetected line or a few undetected letters. */
const ROOM_ALONG = 3;
const ROOM_ACROSS = 3;
/** A larger region is not a zone. */
const MAX_REGION_PIXELS = 8_000_000;

/**
 * Crops the part of a picture that may hold a zone, and rotates it so that its lines are level.
 * @param upsideDown whether its lines run against the direction of the region.
 * @returns undefined if it would be too large.
 */
export function cropRegion(
  picture: GreyImage,
  { middle, along, length, thickness, letterHeight }: ZoneRegion,
  upsideDown: boolean,
): GreyImage | undefined {
  const width = Math.ceil(length + 2 * ROOM_ALONG * letterHeight);
  const height = Math.ceil(thickness + 2 * ROOM_ACROSS * letterHeight);
  if (width * height > MAX_REGION_PIXELS) return undefined;
  const sign = upsideDown ? -1 : 1;
  const right = { x: sign * along.x, y: sign * along.y };
  const down = { x: -right.y, y: right.x };
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const below = row - (height - 1) / 2;
    for (let column = 0; column < width; column += 1) {
      const beside = column - (width - 1) / 2;
      const x = middle.x + beside * right.x + below * down.x;
      const y = middle.y + beside * right.y + below * down.y;
      pixels[row * width + column] = brightness(picture, x, y);
    }
  }
  return { width, height, pixels };
}

/** Interpolates between four pixels (bilinear). The edge pixels continue beyond the picture. */
function brightness({ width, height, pixels }: GreyImage, x: number, y: number): number {
  const insideX = Math.min(Math.max(x, 0), width - 1);
  const insideY = Math.min(Math.max(y, 0), height - 1);
  const left = Math.min(Math.floor(insideX), Math.max(0, width - 2));
  const top = Math.min(Math.floor(insideY), Math.max(0, height - 2));
  const at = top * width + left;
  const nextX = width > 1 ? 1 : 0;
  const nextY = height > 1 ? width : 0;
  const [partX, partY] = [insideX - left, insideY - top];
  const above = (pixels[at] as number) * (1 - partX) + (pixels[at + nextX] as number) * partX;
  const beneath = (pixels[at + nextY] as number) * (1 - partX) + (pixels[at + nextY + nextX] as number) * partX;
  return Math.round(above * (1 - partY) + beneath * partY);
}
