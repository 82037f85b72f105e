import type { DocumentReading, MachineReadableZone } from "@travel-booking/domain";
import { CpuBudget } from "./cpu-budget.ts";
import { decodeGreyImage, type GreyImage, resized } from "./grey-image.ts";
import type { OcrEngine } from "./ocr-engine.ts";
import { type RegionReading, readRegion } from "./read-region.ts";
import { readWholePage } from "./read-whole-page.ts";
import { findZoneRegions, isWithin, type ZoneRegion } from "./zone-regions.ts";

/** Larger than this no picture needs to be, in pixels: letters of a zone on an A4 sheet are 22 pixels high. */
export const MAX_SIDE_PIXELS = 2_800;
/** Of the picture's size: where specks and patterns spoil the letters, they are gone in a smaller picture. */
const SIZES = [1, 1 / 2] as const;
/** So many places are read, in each of the sizes. */
const MAX_REGIONS = 4;
/** What looks so much like a zone may be one of a second document. */
const LIKELY_SCORE = 0.75;
/** Blobs of the size of letters: a zone has at least sixty; more than a page of small print has are a picture. */
const LEAST_LETTERS = 30;
const MOST_LETTERS = 8_000;
/** Processor time: no other place is begun with behind it. */
const REGIONS_BUDGET_MS = 6_000;
/** Processor time: a picture that is none of a document takes most of its time in this. */
const WHOLE_PAGE_BUDGET_MS = 6_000;

/** Looks for a zone in a grey picture, whichever way it was laid on the scanner. */
export async function readScan(picture: Buffer, eyes: OcrEngine, patience: CpuBudget): Promise<DocumentReading> {
  const grey = await decodeGreyImage(picture);
  const { zones, code, mayHaveMore } = await readRegions(grey, eyes, patience);
  const [zone, ...others] = zones;
  if (zone !== undefined) {
    // Zones of several documents in one picture are a person's to take apart.
    if (others.length > 0) return { outcome: "unreadable", documentCode: zone.documentCode };
    return { outcome: "read", source: "scan", zone };
  }
  if (!mayHaveMore) return { outcome: "unreadable", documentCode: code };
  const whole = await readWholePage(grey, eyes, new CpuBudget(Math.min(patience.remainingMs, WHOLE_PAGE_BUDGET_MS)));
  if (whole.zone !== undefined) return { outcome: "read", source: "scan", zone: whole.zone };
  return { outcome: "unreadable", documentCode: code ?? whole.code };
}

interface RegionsReading {
  /** Those that are different. */
  readonly zones: readonly MachineReadableZone[];
  readonly code: string | null;
  /** Whether there is writing that was not read. */
  readonly mayHaveMore: boolean;
}

async function readRegions(picture: GreyImage, eyes: OcrEngine, patience: CpuBudget): Promise<RegionsReading> {
  const tried: ZoneRegion[] = [];
  let code: string | null = null;
  const untilOthers = new CpuBudget(REGIONS_BUDGET_MS);
  let isWriting = false;
  let isDoubtful = false;
  for (const size of SIZES) {
    const { regions, letters = 0 } = findZoneRegions(await resized(picture, size));
    if (size === SIZES[0]) isWriting = letters >= LEAST_LETTERS && letters <= MOST_LETTERS;
    const zones = new Map<string, MachineReadableZone>();
    for (const place of regions.slice(0, MAX_REGIONS).map((one) => enlarged(one, 1 / size))) {
      if (patience.isSpent || untilOthers.isSpent) break;
      if (tried.some((other) => isWithin(place, other)) || (zones.size > 0 && place.score < LIKELY_SCORE)) continue;
      tried.push(place);
      const read: RegionReading = await readRegion(picture, place, eyes, patience);
      if (read.zone !== undefined) zones.set(JSON.stringify(read.zone), read.zone);
      code ??= read.code;
      isDoubtful ||= read.isDoubtful;
    }
    if (zones.size > 0) return { zones: [...zones.values()], code, mayHaveMore: false };
  }
  // Whoever looks at all of the picture sees less of a zone that was seen by itself.
  return { zones: [], code, mayHaveMore: isWriting && !isDoubtful };
}

function enlarged(place: ZoneRegion, factor: number): ZoneRegion {
  return {
    ...place,
    middle: { x: place.middle.x * factor, y: place.middle.y * factor },
    length: place.length * factor,
    thickness: place.thickness * factor,
    letterHeight: place.letterHeight * factor,
  };
}
