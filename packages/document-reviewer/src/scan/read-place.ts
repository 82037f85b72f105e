import type { MachineReadableZone } from "@travel-booking/domain";
import { likelyCode, recoverZone } from "../mrz/recover-zone.ts";
import { cutOut } from "./cut-out.ts";
import type { Eyes } from "./eyes.ts";
import { fillersIn } from "./fillers.ts";
import { asPng, type GreyPicture, normalised, resized } from "./grey-picture.ts";
import { endsWithNames, supportOf } from "./names-support.ts";
import type { Patience } from "./patience.ts";
import { agreed } from "./readings.ts";
import type { ZonePlace } from "./zone-places.ts";

/** Pixels of a capital letter, in the order in which they are tried: those at which most is read well come first. */
const LETTER_HEIGHTS = [25, 33, 20, 28, 40, 23] as const;
/** Pixels of a capital letter: its shape is plain. */
const SHAPE_HEIGHT = 30;
/** Percent: a zone has more ink than this. */
const MOST_BLACK = 1;
/** So many readings are to agree where the shapes of the letters bear them out. */
const NEEDED_BORNE_OUT = 3;
/** Where these say nothing, all of them are to agree, and so many. */
const NEEDED_ALONE = 4;

/** What was read at one place. */
export interface PlaceReading {
  readonly zone: MachineReadableZone | undefined;
  /** The document code of what looks like a zone. */
  readonly code: string | null;
  /** Whether a zone was read whose names are not sure. */
  readonly isDoubtful: boolean;
}

/** Reads a place of a picture, one way up and the other, until enough readings agree. */
export async function readPlace(
  picture: GreyPicture,
  place: ZonePlace,
  eyes: Eyes,
  patience: Patience,
): Promise<PlaceReading> {
  let code: string | null = null;
  for (const upsideDown of [false, true]) {
    const own = cutOut(picture, place, upsideDown);
    if (own === undefined) break;
    const cut = await normalised(own, MOST_BLACK);
    const look = async (letterHeight: number) =>
      await eyes.linesOf(await asPng(await resized(cut, letterHeight / place.letterHeight)), patience);
    const [first, ...others] = LETTER_HEIGHTS;
    const lines = await look(first);
    const zone = recoverZone(lines)?.zone;
    const ownCode = zone?.documentCode ?? likelyCode(lines);
    code ??= ownCode;
    if (ownCode === null) continue;
    const zones = new Readings(await shapesOf(cut, place));
    zones.add(zone, lines);
    for (const height of others) {
      if (zones.agreed !== undefined || patience.isAtEnd) break;
      const again = await look(height);
      zones.add(recoverZone(again)?.zone, again);
    }
    if (zones.count > 0) return { zone: zones.agreed, code, isDoubtful: zones.agreed === undefined };
  }
  return { zone: undefined, code, isDoubtful: false };
}

async function shapesOf(cut: GreyPicture, { letterHeight }: ZonePlace): Promise<readonly string[]> {
  return fillersIn(await resized(cut, SHAPE_HEIGHT / letterHeight), SHAPE_HEIGHT);
}

/** Readings of one place, which are taken for true once enough of them agree. */
class Readings {
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
    const support = supportOf(zone, this.#fillers);
    if (support === "borne_out") this.#borneOut.push(zone);
    if (support !== "borne_out" && !(support === "unknown" && endsWithNames(zone, lines))) this.#isDoubtful = true;
  }

  /** How many there are, those included that are not taken for true. */
  get count(): number {
    return this.#all.length;
  }

  get agreed(): MachineReadableZone | undefined {
    const borneOut = agreed(this.#borneOut, NEEDED_BORNE_OUT);
    if (borneOut !== undefined || this.#isDoubtful) return borneOut;
    return agreed(this.#all, Math.max(NEEDED_ALONE, this.count));
  }
}
