import type { MachineReadableZone } from "@travel-booking/domain";
import { likelyCode, recoverZone } from "../mrz/recover-zone.ts";
import type { Eyes } from "./eyes.ts";
import { asPng, type GreyPicture, normalised, resized, turned } from "./grey-picture.ts";
import type { Patience } from "./patience.ts";
import type { PlaceReading } from "./read-place.ts";
import { agreed } from "./readings.ts";

/** In the order in which scans are met. */
const TURNS = [0, 180, 90, 270] as const;
/** Pixels of the longer side: the first suits a page that is all document, the second one that lies on a larger sheet. */
const SIZES = [1_200, 2_400] as const;
/** Names have no check digit: they are read at other sizes, too, until enough readings agree. */
const OTHER_SIZES = [5 / 6, 7 / 6, 3 / 4] as const;
const NEEDED = 3;

type WholeReading = Pick<PlaceReading, "zone" | "code">;

interface Look {
  readonly zone: MachineReadableZone | undefined;
  readonly code: string | null;
  readonly turn: number;
  readonly size: number;
}

/** Looks for a zone in a picture as a whole, which takes long, whichever way it was laid on the scanner. */
export async function readWhole(picture: GreyPicture, eyes: Eyes, patience: Patience): Promise<WholeReading> {
  for (const size of SIZES) {
    for (const turn of TURNS) {
      if (patience.isAtEnd) return { zone: undefined, code: null };
      const first = await look(picture, turn, size, eyes, patience);
      if (first.zone !== undefined || first.code !== null) return await lookAgain(first, picture, eyes, patience);
    }
    if (Math.max(picture.width, picture.height) <= size) break;
  }
  return { zone: undefined, code: null };
}

async function lookAgain(first: Look, picture: GreyPicture, eyes: Eyes, patience: Patience): Promise<WholeReading> {
  const zones: MachineReadableZone[] = first.zone === undefined ? [] : [first.zone];
  for (const factor of OTHER_SIZES) {
    if (patience.isAtEnd) break;
    const { zone } = await look(picture, first.turn, Math.round(first.size * factor), eyes, patience);
    if (zone !== undefined) zones.push(zone);
    const sure = agreed(zones, NEEDED);
    if (sure !== undefined) return { zone: sure, code: sure.documentCode };
  }
  return { zone: undefined, code: first.code };
}

async function look(picture: GreyPicture, turn: number, size: number, eyes: Eyes, patience: Patience): Promise<Look> {
  const factor = Math.min(1, size / Math.max(picture.width, picture.height));
  const small = await normalised(await resized(picture, factor), 0);
  const lines = await eyes.linesOf(await asPng(await turned(small, turn)), patience);
  const zone = recoverZone(lines)?.zone;
  return { zone, code: zone?.documentCode ?? likelyCode(lines), turn, size };
}
