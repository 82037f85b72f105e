import type { DocumentReading, MachineReadableZone } from "@travel-booking/domain";
import type { Eyes } from "./eyes.ts";
import { type GreyPicture, greyPicture, resized } from "./grey-picture.ts";
import { Patience } from "./patience.ts";
import { type PlaceReading, readPlace } from "./read-place.ts";
import { readWhole } from "./read-whole.ts";
import { findZonePlaces, isWithin, type ZonePlace } from "./zone-places.ts";

/** Larger than this no picture needs to be, in pixels: letters of a zone on an A4 sheet are 22 pixels high. */
export const LONGEST_SIDE = 2_800;
/** Of the picture's size: where specks and patterns spoil the letters, they are gone in a smaller picture. */
const SIZES = [1, 1 / 2] as const;
/** So many places are read, in each of the sizes. */
const MOST_PLACES = 4;
/** What looks so much like a zone may be one of a second document. */
const LIKELY = 0.75;
/** Blobs of the size of letters: a zone has at least sixty; more than a page of small print has are a picture. */
const LEAST_LETTERS = 30;
const MOST_LETTERS = 8_000;
/** Processor time: no other place is begun with behind it. */
const LONGEST_PLACES_MS = 6_000;
/** Processor time: a picture that is none of a document takes most of its time in this. */
const LONGEST_WHOLE_MS = 6_000;

/** Looks for a zone in a grey picture, whichever way it was laid on the scanner. */
export async function readScan(picture: Buffer, eyes: Eyes, patience: Patience): Promise<DocumentReading> {
  const grey = await greyPicture(picture);
  const { zones, code, mayHaveMore } = await readPlaces(grey, eyes, patience);
  const [zone, ...others] = zones;
  if (zone !== undefined) {
    // Zones of several documents in one picture are a person's to take apart.
    if (others.length > 0) return { outcome: "unreadable", documentCode: zone.documentCode };
    return { outcome: "read", source: "scan", zone };
  }
  if (!mayHaveMore) return { outcome: "unreadable", documentCode: code };
  const whole = await readWhole(grey, eyes, new Patience(Math.min(patience.left, LONGEST_WHOLE_MS)));
  if (whole.zone !== undefined) return { outcome: "read", source: "scan", zone: whole.zone };
  return { outcome: "unreadable", documentCode: code ?? whole.code };
}

interface PlacesReading {
  /** Those that are different. */
  readonly zones: readonly MachineReadableZone[];
  readonly code: string | null;
  /** Whether there is writing that was not read. */
  readonly mayHaveMore: boolean;
}

async function readPlaces(picture: GreyPicture, eyes: Eyes, patience: Patience): Promise<PlacesReading> {
  const tried: ZonePlace[] = [];
  let code: string | null = null;
  const untilOthers = new Patience(LONGEST_PLACES_MS);
  let isWriting = false;
  let isDoubtful = false;
  for (const size of SIZES) {
    const { places, letters = 0 } = findZonePlaces(await resized(picture, size));
    if (size === SIZES[0]) isWriting = letters >= LEAST_LETTERS && letters <= MOST_LETTERS;
    const zones = new Map<string, MachineReadableZone>();
    for (const place of places.slice(0, MOST_PLACES).map((one) => enlarged(one, 1 / size))) {
      if (patience.isAtEnd || untilOthers.isAtEnd) break;
      if (tried.some((other) => isWithin(place, other)) || (zones.size > 0 && place.likeness < LIKELY)) continue;
      tried.push(place);
      const read: PlaceReading = await readPlace(picture, place, eyes, patience);
      if (read.zone !== undefined) zones.set(JSON.stringify(read.zone), read.zone);
      code ??= read.code;
      isDoubtful ||= read.isDoubtful;
    }
    if (zones.size > 0) return { zones: [...zones.values()], code, mayHaveMore: false };
  }
  // Whoever looks at all of the picture sees less of a zone that was seen by itself.
  return { zones: [], code, mayHaveMore: isWriting && !isDoubtful };
}

function enlarged(place: ZonePlace, factor: number): ZonePlace {
  return {
    ...place,
    middle: { x: place.middle.x * factor, y: place.middle.y * factor },
    length: place.length * factor,
    depth: place.depth * factor,
    letterHeight: place.letterHeight * factor,
  };
}
