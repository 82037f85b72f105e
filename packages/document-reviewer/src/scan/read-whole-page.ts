import type { MachineReadableZone } from "@travel-booking/domain";
import { likelyCode, recoverZone } from "../mrz/recover-zone.ts";
import { asPng, type GreyImage, normalised, resized, rotated } from "./grey-image.ts";
import type { CpuBudget, OcrEngine } from "./ocr-engine.ts";
import { consensus, type RegionReading } from "./read-region.ts";

/** Degrees, most frequent in scans first. */
const TURNS = [0, 180, 90, 270] as const;
/** Pixels of the longer side. The first suits a page filled by a document, the second a document on a larger sheet. */
const SIZES = [1_200, 2_400] as const;
/** Names have no check digit, so they are read at other sizes, too, until enough readings agree. */
const OTHER_SIZES = [5 / 6, 7 / 6, 3 / 4] as const;
const NEEDED = 3;

type WholePageReading = Pick<RegionReading, "zone" | "code">;

interface PageReading {
  readonly zone: MachineReadableZone | undefined;
  readonly code: string | null;
  readonly turn: number;
  readonly size: number;
}

/** Looks for a zone in the whole picture, in any orientation. This is slow. */
export async function readWholePage(picture: GreyImage, ocr: OcrEngine, budget: CpuBudget): Promise<WholePageReading> {
  for (const size of SIZES) {
    for (const turn of TURNS) {
      if (budget.isSpent) return { zone: undefined, code: null };
      const first = await readAt(picture, turn, size, ocr, budget);
      if (first.zone !== undefined || first.code !== null)
        return await confirmAtOtherSizes(first, picture, ocr, budget);
    }
    if (Math.max(picture.width, picture.height) <= size) break;
  }
  return { zone: undefined, code: null };
}

async function confirmAtOtherSizes(
  first: PageReading,
  picture: GreyImage,
  ocr: OcrEngine,
  budget: CpuBudget,
): Promise<WholePageReading> {
  const zones: MachineReadableZone[] = first.zone === undefined ? [] : [first.zone];
  for (const factor of OTHER_SIZES) {
    if (budget.isSpent) break;
    const { zone } = await readAt(picture, first.turn, Math.round(first.size * factor), ocr, budget);
    if (zone !== undefined) zones.push(zone);
    const sure = consensus(zones, NEEDED);
    if (sure !== undefined) return { zone: sure, code: sure.documentCode };
  }
  return { zone: undefined, code: first.code };
}

async function readAt(
  picture: GreyImage,
  turn: number,
  size: number,
  ocr: OcrEngine,
  budget: CpuBudget,
): Promise<PageReading> {
  const factor = Math.min(1, size / Math.max(picture.width, picture.height));
  const small = await normalised(await resized(picture, factor), 0);
  const lines = await ocr.recognizeLines(await asPng(await rotated(small, turn)), budget);
  const zone = recoverZone(lines)?.zone;
  return { zone, code: zone?.documentCode ?? likelyCode(lines), turn, size };
}
