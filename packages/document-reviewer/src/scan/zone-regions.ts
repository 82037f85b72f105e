import type { GreyImage } from "./grey-image.ts";
import { binarize, connectedComponents } from "./ink.ts";
import { type LetterBox, letterBoxOf, mean, type TextLine, textLinesOf } from "./text-lines.ts";

/** A region that may hold a zone, in pixels of the picture. */
export interface ZoneRegion {
  readonly middle: Point;
  /** Unit vector of the reading direction, or of the opposite one. */
  readonly along: Point;
  readonly length: number;
  /** Thickness across all its lines. */
  readonly thickness: number;
  /** Height of its capital letters. */
  readonly letterHeight: number;
  /** The higher, the more the region looks like a zone. */
  readonly score: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Fraction of the longer side: about the height of a letter, on a sheet as well as on a page. */
const NEIGHBOURHOOD_FACTOR = 1 / 80;
const MIN_NEIGHBOURHOOD = 4;
/** In pixels. Lower letters are illegible. */
const LOWEST_LETTER = 7;
/** Fraction of the longer side. No zone has taller letters. */
const TALLEST_LETTER = 1 / 14;
/** In heights, because touching letters are one blob. */
const WIDEST_LETTER = 3.5;
const NARROWEST_LETTER = 1 / 9;

/** Distance from line to line, in heights of a letter. */
const CLOSEST_ROWS = 1.3;
const FARTHEST_ROWS = 4.5;
/** The lines of a zone are parallel. Maximum difference of slopes, in pixels downwards per pixel along. */
const MOST_APART_IN_SLOPE = 0.03;
const MOST_APART_IN_HEIGHT = 1.4;
const LEAST_IN_COMMON = 0.6;
/** Letters in a line of one of the formats. */
const LENGTHS = [30, 36, 44];
/** Limited, because the search compares every row with every other. */
const MOST_ROWS = 300;
/** From 0 to 1. Regions with a lower score are dropped. */
const MIN_SCORE = 0.45;

/** Regions that look like a zone, and the amount of writing in the picture. */
export interface ZoneSearchResult {
  /** The most likely first. */
  readonly regions: readonly ZoneRegion[];
  /** Number of blobs of the size of letters; undefined if the picture is full of specks. */
  readonly letters: number | undefined;
}

/** Finds the regions of a picture with two or three long lines of evenly spaced letters. */
export function findZoneRegions(picture: GreyImage): ZoneSearchResult {
  const { width, height } = picture;
  const longest = Math.max(width, height);
  const blobs = connectedComponents(
    binarize(picture, Math.max(MIN_NEIGHBOURHOOD, Math.round(longest * NEIGHBOURHOOD_FACTOR))),
    width,
    height,
  );
  if (blobs === undefined) return { regions: [], letters: undefined };
  const lying = ofLetterSize(blobs.map(letterBoxOf), longest);
  const standing = ofLetterSize(
    blobs.map((blob) => toVerticalFrame(letterBoxOf(blob))),
    longest,
  );
  const all = [...regionsIn(lying), ...regionsIn(standing).map(fromVerticalFrame)];
  return {
    regions: withoutOverlaps(all.toSorted((one, other) => other.score - one.score)),
    letters: Math.max(lying.length, standing.length),
  };
}

function ofLetterSize(letters: readonly LetterBox[], longest: number): readonly LetterBox[] {
  return letters.filter(
    ({ width, height }) =>
      height >= LOWEST_LETTER &&
      height <= longest * TALLEST_LETTER &&
      width <= height * WIDEST_LETTER &&
      width >= height * NARROWEST_LETTER,
  );
}

/** Rotates a box so that vertical writing runs along x. */
function toVerticalFrame({ x, y, width, height }: LetterBox): LetterBox {
  return { x: y, y: -x, width: height, height: width };
}

function fromVerticalFrame(place: ZoneRegion): ZoneRegion {
  const back = ({ x, y }: Point) => ({ x: -y, y: x });
  return { ...place, middle: back(place.middle), along: back(place.along) };
}

function regionsIn(letters: readonly LetterBox[]): readonly ZoneRegion[] {
  const rows = textLinesOf(letters)
    .toSorted((one, other) => other.regularity - one.regularity)
    .slice(0, MOST_ROWS);
  const places = rows.flatMap((upper) =>
    rows.flatMap((lower) => (areOfOneZone(upper, lower) ? [regionOf([upper, lower])] : [])),
  );
  return [...places, ...rows.map((row) => regionOf([row]))].filter(({ score }) => score >= MIN_SCORE);
}

function areOfOneZone(upper: TextLine, lower: TextLine): boolean {
  const height = (upper.height + lower.height) / 2;
  const from = Math.max(upper.from, lower.from);
  const to = Math.min(upper.to, lower.to);
  const middle = (from + to) / 2;
  const down = heightAt(lower, middle) - heightAt(upper, middle);
  return (
    down >= height * CLOSEST_ROWS &&
    down <= height * FARTHEST_ROWS &&
    Math.abs(upper.slope - lower.slope) <= MOST_APART_IN_SLOPE &&
    Math.max(upper.height, lower.height) <= Math.min(upper.height, lower.height) * MOST_APART_IN_HEIGHT &&
    to - from >= LEAST_IN_COMMON * Math.max(lengthOf(upper), lengthOf(lower))
  );
}

function heightAt({ level, slope }: TextLine, x: number): number {
  return level + slope * x;
}

function lengthOf({ from, to }: TextLine): number {
  return to - from;
}

function regionOf(rows: readonly TextLine[]): ZoneRegion {
  const from = Math.min(...rows.map((row) => row.from));
  const to = Math.max(...rows.map((row) => row.to));
  const x = (from + to) / 2;
  const heights = rows.map((row) => heightAt(row, x));
  const [highest, lowest] = [Math.min(...heights), Math.max(...heights)];
  const slope = mean(rows.map((row) => row.slope));
  const long = Math.hypot(1, slope);
  // The height of the line with the fewest fillers, because fillers are lower than letters.
  const letterHeight = Math.max(...rows.map(({ height }) => height));
  return {
    middle: { x, y: (highest + lowest) / 2 },
    along: { x: 1 / long, y: slope / long },
    length: (to - from) * long + letterHeight,
    thickness: (lowest - highest) / long + letterHeight,
    letterHeight,
    score: scoreOf(rows),
  };
}

/** From 0 to 1. A single line may belong to a zone whose other line was missed, so it scores lower than two. */
function scoreOf(rows: readonly TextLine[]): number {
  const regularity = mean(rows.map((row) => row.regularity));
  const [one, other = one] = rows;
  if (one === undefined || other === undefined) return 0;
  const alone = rows.length === 1 ? 0.6 : 1;
  const inCommon =
    Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from)) /
    (Math.max(one.to, other.to) - Math.min(one.from, other.from));
  return alone * (0.5 * regularity + 0.25 * inCommon + 0.25 * mean(rows.map(lengthScore)));
}

/** From 0 to 1: how well the number of letters fits a line of a zone. */
function lengthScore(row: TextLine): number {
  const letters = lengthOf(row) / row.pitch + 1;
  const off = Math.min(...LENGTHS.map((length) => Math.abs(letters - length)));
  return Math.max(0, 1 - off / 4);
}

/** Drops regions that overlap a more likely one. */
function withoutOverlaps(places: readonly ZoneRegion[]): readonly ZoneRegion[] {
  const kept: ZoneRegion[] = [];
  for (const place of places) if (!kept.some((other) => isWithin(place, other))) kept.push(place);
  return kept;
}

/** Whether reading the other region covers this one. */
export function isWithin(place: ZoneRegion, other: ZoneRegion): boolean {
  const x = place.middle.x - other.middle.x;
  const y = place.middle.y - other.middle.y;
  const along = Math.abs(x * other.along.x + y * other.along.y);
  const across = Math.abs(x * other.along.y - y * other.along.x);
  const isParallel = Math.abs(place.along.x * other.along.x + place.along.y * other.along.y) > 0.9;
  return isParallel && along <= other.length / 4 && across <= 3 * other.letterHeight;
}
