import type { DocumentReading, MachineReadableZone } from "@travel-booking/domain";
import { type GreyImage, resized } from "./grey-image.ts";
import { CpuBudget, type OcrEngine } from "./ocr-engine.ts";
import { type RegionReading, readRegion } from "./read-region.ts";
import { readWholePage } from "./read-whole-page.ts";
import { findZoneRegions, isWithin, type ZoneRegion } from "./zone-regions.ts";

/** No picture needs more pixels. At this size the letters of a zone on an A4 sheet are 22 pixels high. */
export const MAX_SIDE_PIXELS = 2_800;
/** Fractions of the picture's size. A smaller picture loses the specks and patterns that spoil the letters. */
const SIZES = [1, 1 / 2] as const;
/** Regions that are read in each size. */
const MAX_REGIONS = 4;
/** A region with this score may be the zone of a second document. */
const LIKELY_SCORE = 0.75;
/** Blobs of the size of letters. A zone has at least sixty. More than a page of small print has mean a picture. */
const LEAST_LETTERS = 30;
const MOST_LETTERS = 8_000;
/** Processor time after which no further region is begun. */
const REGIONS_BUDGET_MS = 6_000;
/** Processor time. Pictures without a document spend most of their time here. */
const WHOLE_PAGE_BUDGET_MS = 6_000;

/** Looks for a zone in a grey picture, in any orientation. */
export async function readScan(grey: GreyImage, ocr: OcrEngine, budget: CpuBudget): Promise<DocumentReading> {
  const { zones, code, mayHaveMore } = await readRegions(grey, ocr, budget);
  const [zone, ...others] = zones;
  if (zone !== undefined) {
    // Only an operator can separate zones of several documents in one picture.
    if (others.length > 0) return { outcome: "unreadable", documentCode: zone.documentCode };
    return { outcome: "read", source: "scan", zone };
  }
  if (!mayHaveMore) return { outcome: "unreadable", documentCode: code };
  const whole = await readWholePage(grey, ocr, new CpuBudget(Math.min(budget.remainingMs, WHOLE_PAGE_BUDGET_MS)));
  if (whole.zone !== undefined) return { outcome: "read", source: "scan", zone: whole.zone };
  return { outcome: "unreadable", documentCode: code ?? whole.code };
}

interface RegionsReading {
  /** Distinct zones. */
  readonly zones: readonly MachineReadableZone[];
  readonly code: string | null;
  /** Whether the picture has writing that was not read. */
  readonly mayHaveMore: boolean;
}

async function readRegions(picture: GreyImage, ocr: OcrEngine, budget: CpuBudget): Promise<RegionsReading> {
  const tried: ZoneRegion[] = [];
  let code: string | null = null;
  const regionsBudget = new CpuBudget(REGIONS_BUDGET_MS);
  let isWriting = false;
  let isDoubtful = false;
  for (const size of SIZES) {
    const { regions, letters = 0 } = findZoneRegions(await resized(picture, size));
    if (size === SIZES[0]) isWriting = letters >= LEAST_LETTERS && letters <= MOST_LETTERS;
    const zones = new Map<string, MachineReadableZone>();
    for (const region of regions.slice(0, MAX_REGIONS).map((one) => enlarged(one, 1 / size))) {
      if (budget.isSpent || regionsBudget.isSpent) break;
      if (tried.some((other) => isWithin(region, other)) || (zones.size > 0 && region.score < LIKELY_SCORE)) continue;
      tried.push(region);
      const read: RegionReading = await readRegion(picture, region, ocr, budget);
      if (read.zone !== undefined) zones.set(JSON.stringify(read.zone), read.zone);
      code ??= read.code;
      isDoubtful ||= read.isDoubtful;
    }
    if (zones.size > 0) return { zones: [...zones.values()], code, mayHaveMore: false };
  }
  // A whole-page reading shows less of a zone than the reading of a region.
  return { zones: [], code, mayHaveMore: isWriting && !isDoubtful };
}

function enlarged(region: ZoneRegion, factor: number): ZoneRegion {
  return {
    ...region,
    middle: { x: region.middle.x * factor, y: region.middle.y * factor },
    length: region.length * factor,
    thickness: region.thickness * factor,
    letterHeight: region.letterHeight * factor,
  };
}
