import type { DocumentReading, MachineReadableZone } from "@travel-booking/domain";
import sharp from "sharp";
import { likelyCode, recoverZone } from "../mrz/recover-zone.ts";
import type { Eyes } from "./eyes.ts";

/** In the order in which scans are met. */
const TURNS = [0, 180, 90, 270] as const;
/** Pixels of the longer side: the first suits a page that is all document, the second one that lies on a larger sheet. */
const SIZES = [1_200, 2_400] as const;
/** Names have no check digit: they are read at other sizes, too, until two readings agree. */
const OTHER_SIZES = [5 / 6, 7 / 6] as const;
/** Larger than this no picture needs to be. */
export const LONGEST_SIDE = 2_800;

type Zone = MachineReadableZone;

interface Look {
  readonly zone: Zone | undefined;
  /** The document code of what looks like a zone. */
  readonly code: string | null;
}

/** Looks for a zone in a grey picture, whichever way it was laid on the scanner. */
export async function readScan(picture: Buffer, eyes: Eyes): Promise<DocumentReading> {
  const { width, height } = await sharp(picture).metadata();
  for (const size of SIZES) {
    for (const turn of TURNS) {
      const first = await look(picture, turn, size, eyes);
      if (first.zone !== undefined || first.code !== null) return lookAgain(first, picture, turn, size, eyes);
    }
    if (Math.max(width, height) <= size) break;
  }
  return { outcome: "unreadable", documentCode: null };
}

async function lookAgain(
  first: Look,
  picture: Buffer,
  turn: number,
  size: number,
  eyes: Eyes,
): Promise<DocumentReading> {
  const zones = first.zone === undefined ? [] : [first.zone];
  for (const factor of OTHER_SIZES) {
    const { zone } = await look(picture, turn, Math.round(size * factor), eyes);
    if (zone === undefined) continue;
    zones.push(zone);
    const agreed = zones.find((one, index) => zones.findIndex((other) => sameNames(one, other)) !== index);
    if (agreed !== undefined) return { outcome: "read", source: "scan", zone: agreed };
  }
  const [any] = zones;
  if (any === undefined) return { outcome: "unreadable", documentCode: first.code };
  return { outcome: "read", source: "scan", zone: any };
}

async function look(picture: Buffer, turn: number, size: number, eyes: Eyes): Promise<Look> {
  const turned = await sharp(picture)
    .resize({ width: size, height: size, fit: "inside", withoutEnlargement: true })
    .rotate(turn)
    .png()
    .toBuffer();
  const lines = await eyes.linesOf(turned);
  return { zone: recoverZone(lines)?.zone, code: likelyCode(lines) };
}

function sameNames(one: Zone, other: Zone): boolean {
  const names = ({ surname, givenNames }: Zone) => `${surname.join("<")}<<${givenNames.join("<")}`;
  return names(one) === names(other);
}
