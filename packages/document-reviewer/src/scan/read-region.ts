import type { MachineReadableZone } from "@travel-booking/domain";
import { likelyCode, recoverZone } from "../mrz/recover-zone.ts";
import { characterCells } from "./character-cells.ts";
import { consensus } from "./consensus.ts";
import type { CpuBudget } from "./cpu-budget.ts";
import { cropRegion } from "./crop-region.ts";
import { asPng, type GreyImage, normalised, resized } from "./grey-image.ts";
import { endsWithNames, nameEvidence } from "./name-evidence.ts";
import type { OcrEngine } from "./ocr-engine.ts";
import type { ZoneRegion } from "./zone-regions.ts";

/** Pixels of a capital letter, in the order in which they are tried: those at which most is read well come first. */
const LETTER_HEIGHTS = [25, 33, 20, 28, 40, 23] as const;
/** Pixels of a capital letter: its shape is plain. */
const SHAPE_HEIGHT = 30;
/** Percent: a zone has more ink than this. */
const MOST_BLACK = 1;
/** So many readings are to agree where the shapes of the letters bear them out. */
const REQUIRED_SUPPORTED = 3;
/** Where these say nothing, all of them are to agree, and so many. */
const REQUIRED_UNSUPPORTED = 4;

/** What was read at one place. */
export interface RegionReading {
  readonly zone: MachineReadableZone | undefined;
  /** The document code of what looks like a zone. */
  readonly code: string | null;
  /** Whether a zone was read whose names are not sure. */
  readonly isDoubtful: boolean;
}

/** Reads a place of a picture, one way up and the other, until enough readings agree. */
export async function readRegion(
  picture: GreyImage,
  place: ZoneRegion,
  eyes: OcrEngine,
  patience: CpuBudget,
): Promise<RegionReading> {
  let code: string | null = null;
  for (const upsideDown of [false, true]) {
    const own = cropRegion(picture, place, upsideDown);
    if (own === undefined) break;
    const cut = await normalised(own, MOST_BLACK);
    const look = async (letterHeight: number) =>
      await eyes.recognizeLines(await asPng(await resized(cut, letterHeight / place.letterHeight)), patience);
    const [first, ...others] = LETTER_HEIGHTS;
    const lines = await look(first);
    const zone = recoverZone(lines)?.zone;
    const ownCode = zone?.documentCode ?? likelyCode(lines);
    code ??= ownCode;
    if (ownCode === null) continue;
    const zones = new ReadingVotes(await shapesOf(cut, place));
    zones.add(zone, lines);
    for (const height of others) {
      if (zones.agreed !== undefined || patience.isSpent) break;
      const again = await look(height);
      zones.add(recoverZone(again)?.zone, again);
    }
    if (zones.count > 0) return { zone: zones.agreed, code, isDoubtful: zones.agreed === undefined };
  }
  return { zone: undefined, code, isDoubtful: false };
}

async function shapesOf(cut: GreyImage, { letterHeight }: ZoneRegion): Promise<readonly string[]> {
  return characterCells(await resized(cut, SHAPE_HEIGHT / letterHeight), SHAPE_HEIGHT);
}

/** Readings of one place, which are taken for true once enough of them agree. */
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

  /** How many there are, those included that are not taken for true. */
  get count(): number {
    return this.#all.length;
  }

  get agreed(): MachineReadableZone | undefined {
    const borneOut = consensus(this.#borneOut, REQUIRED_SUPPORTED);
    if (borneOut !== undefined || this.#isDoubtful) return borneOut;
    return consensus(this.#all, Math.max(REQUIRED_UNSUPPORTED, this.count));
  }
}
