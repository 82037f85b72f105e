import type { ConnectedComponent } from "./ink.ts";

/** A possible letter: its middle and its size, in pixels. x runs along the lines of writing, y downwards. */
export interface LetterBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A line of writing in pixels, in the frame of its letters. */
export interface TextLine {
  /** The middles of its first and last letter. */
  readonly from: number;
  readonly to: number;
  /** The line through the middles of the letters is `y = level + slope * x`. */
  readonly level: number;
  readonly slope: number;
  /** The height of its taller letters. */
  readonly height: number;
  /** Distance between letters. In a zone it is constant along a line. */
  readonly pitch: number;
  /** From 0 to 1: the fraction of letters at the positions of that pitch. */
  readonly regularity: number;
}

/** Above these numbers the picture has a pattern or noise. */
const MOST_LETTERS = 20_000;
const MOST_CHAINS = 2_000;
/** A shorter chain has no clear direction. */
const SHORTEST_CHAIN = 3;
const SHORTEST_SEED = 6;
const LEAST_LETTERS = 12;
/** In heights of a letter. The shortest zone has 30 letters. */
const SHORTEST_ROW = 15;

// All in heights of a letter.
const WIDEST_GAP = 1.6;
const MOST_OVERLAP = 0.3;
const MOST_OFF_LINE = 0.4;
const WIDEST_HOLE = 5;
/** Maximum ratio of the heights of two neighbours. Fillers are lower than letters. */
const MOST_TALLER = 2.2;
/** In pixels downwards per pixel along. A scan is straighter than this. */
const STEEPEST = 0.12;
/** Maximum distance of a letter from its expected position, in pitches. */
const MOST_OFF_PITCH = 0.18;
/** Maximum error of a guess from the distances between letters, in letters at the end of a line. */
const MOST_STEPS_OFF = 3;

/** The long lines of writing that these letters form, with a slope of at most about seven degrees. */
export function textLinesOf(letters: readonly LetterBox[]): readonly TextLine[] {
  if (letters.length > MOST_LETTERS) return [];
  const chains = chainsOf(letters)
    .filter(({ length }) => length >= SHORTEST_CHAIN)
    .toSorted((one, other) => other.length - one.length)
    .slice(0, MOST_CHAINS);
  return joinChains(chains).flatMap((chain) => textLineOf(chain) ?? []);
}

export function letterBoxOf({ left, top, right, bottom }: ConnectedComponent): LetterBox {
  return { x: (left + right) / 2, y: (top + bottom) / 2, width: right - left + 1, height: bottom - top + 1 };
}

type Chain = readonly LetterBox[];

/** Letters that are each other's nearest neighbours. */
function chainsOf(letters: readonly LetterBox[]): readonly Chain[] {
  const right = nearestToTheRight(letters);
  const left = new Map<LetterBox, LetterBox>();
  for (const [one, other] of right) {
    const known = left.get(other);
    if (known === undefined || distance(one, other) < distance(known, other)) left.set(other, one);
  }
  const chains: Chain[] = [];
  for (const first of letters) {
    if (left.has(first)) continue;
    const chain = [first];
    for (let next = right.get(first); next !== undefined; next = right.get(next)) {
      if (left.get(next) !== chain.at(-1)) break;
      chain.push(next);
    }
    chains.push(chain);
  }
  return chains;
}

function distance(one: LetterBox, other: LetterBox): number {
  return Math.abs(other.x - one.x) + 2 * Math.abs(other.y - one.y);
}

function nearestToTheRight(letters: readonly LetterBox[]): ReadonlyMap<LetterBox, LetterBox> {
  const shelves = new LetterIndex(letters);
  const nearest = new Map<LetterBox, LetterBox>();
  for (const one of letters) {
    let best: LetterBox | undefined;
    for (const other of shelves.toTheRightOf(one)) {
      if (areNeighbours(one, other) && (best === undefined || distance(one, other) < distance(one, best))) best = other;
    }
    if (best !== undefined) nearest.set(one, best);
  }
  return nearest;
}

function areNeighbours(one: LetterBox, other: LetterBox): boolean {
  const [low, tall] = one.height < other.height ? [one.height, other.height] : [other.height, one.height];
  const gap = other.x - other.width / 2 - (one.x + one.width / 2);
  return (
    tall <= low * MOST_TALLER &&
    gap <= tall * WIDEST_GAP &&
    gap >= -tall * MOST_OVERLAP &&
    Math.abs(other.y - one.y) <= tall * MOST_OFF_LINE
  );
}

/** Height of a shelf, in pixels of y. */
const SHELF = 32;

/** An index of letters by position, so that only nearby ones are looked at. */
class LetterIndex {
  readonly #shelves = new Map<number, LetterBox[]>();
  readonly #widest: number;

  constructor(letters: readonly LetterBox[]) {
    for (const letter of letters.toSorted((one, other) => one.x - other.x)) {
      const shelf = Math.floor(letter.y / SHELF);
      const known = this.#shelves.get(shelf);
      if (known === undefined) this.#shelves.set(shelf, [letter]);
      else known.push(letter);
    }
    this.#widest = letters.reduce((widest, { width }) => Math.max(widest, width), 0);
  }

  *toTheRightOf({ x, y, width, height }: LetterBox): Generator<LetterBox> {
    const tallest = height * MOST_TALLER;
    const farthest = x + width / 2 + tallest * WIDEST_GAP + this.#widest / 2;
    const reach = tallest * MOST_OFF_LINE;
    for (let shelf = Math.floor((y - reach) / SHELF); shelf <= Math.floor((y + reach) / SHELF); shelf += 1) {
      const letters = this.#shelves.get(shelf) ?? [];
      for (let index = firstBehind(letters, x); index < letters.length; index += 1) {
        const letter = letters[index] as LetterBox;
        if (letter.x > farthest) break;
        yield letter;
      }
    }
  }
}

function firstBehind(letters: readonly LetterBox[], x: number): number {
  let [from, to] = [0, letters.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((letters[middle] as LetterBox).x <= x) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Joins chains that continue each other across the gap of a missing letter. */
function joinChains(chains: readonly Chain[]): readonly Chain[] {
  const left = new Set(chains);
  const rows: Chain[] = [];
  for (const seed of chains) {
    if (seed.length < SHORTEST_SEED) break;
    if (!left.delete(seed)) continue;
    let row = seed;
    for (let grew = true; grew; ) {
      grew = false;
      const line = lineThrough(row);
      for (const other of left) {
        if (!continuesLine(row, other, line)) continue;
        left.delete(other);
        row = [...row, ...other];
        grew = true;
      }
    }
    rows.push(row.toSorted((one, other) => one.x - other.x));
  }
  return rows;
}

interface Line {
  readonly level: number;
  readonly slope: number;
  readonly height: number;
  readonly from: number;
  readonly to: number;
}

function lineThrough(letters: Chain): Line {
  const meanX = mean(letters.map(({ x }) => x));
  const meanY = mean(letters.map(({ y }) => y));
  let along = 0;
  let both = 0;
  for (const { x, y } of letters) {
    along += (x - meanX) ** 2;
    both += (x - meanX) * (y - meanY);
  }
  const slope = along === 0 ? 0 : both / along;
  const xs = letters.map(({ x }) => x);
  return {
    level: meanY - slope * meanX,
    slope,
    height: quantile(
      letters.map(({ height }) => height),
      0.7,
    ),
    from: Math.min(...xs),
    to: Math.max(...xs),
  };
}

function continuesLine(row: Chain, other: Chain, { level, slope, height, from, to }: Line): boolean {
  const [first, last] = [other[0], other.at(-1)];
  if (first === undefined || last === undefined) return false;
  const hole = Math.max(first.x - to, from - last.x);
  // A short row has no clear direction.
  if (hole > height * Math.min(WIDEST_HOLE, row.length / 2)) return false;
  return other.every(
    (letter) =>
      Math.abs(letter.y - (level + slope * letter.x)) <= height * MOST_OFF_LINE &&
      letter.height <= height * 1.5 &&
      letter.height * MOST_TALLER >= height,
  );
}

function textLineOf(letters: Chain): TextLine | undefined {
  const { level, slope, height, from, to } = lineThrough(letters);
  const isLong = letters.length >= LEAST_LETTERS && to - from >= height * SHORTEST_ROW;
  if (!isLong || Math.abs(slope) > STEEPEST) return undefined;
  const steps = letters.slice(1).map(({ x }, index) => x - (letters[index] as LetterBox).x);
  const single = steps.filter((step) => step > height * 0.5 && step < height * 1.8);
  if (single.length < LEAST_LETTERS / 2) return undefined;
  const pitch = pitchOf(letters, from, to, quantile(single, 0.5));
  const regular = steps.filter((step) => {
    const pitches = Math.round(step / pitch);
    return pitches >= 1 && Math.abs(step / pitch - pitches) <= MOST_OFF_PITCH;
  });
  return { from, to, level, slope, height, pitch, regularity: regular.length / steps.length };
}

/** The ends are a whole number of pitches apart. Takes the number near a guess that fits most letters. */
function pitchOf(letters: Chain, from: number, to: number, guess: number): number {
  const about = Math.round((to - from) / guess);
  let best = { pitch: guess, fitting: -1 };
  for (let steps = Math.max(1, about - MOST_STEPS_OFF); steps <= about + MOST_STEPS_OFF; steps += 1) {
    const pitch = (to - from) / steps;
    const fitting = letters.filter(({ x }) => {
      const place = (x - from) / pitch;
      return Math.abs(place - Math.round(place)) <= MOST_OFF_PITCH;
    }).length;
    if (fitting > best.fitting) best = { pitch, fitting };
  }
  return best.pitch;
}

/** The mean of at least one number. */
export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** @param part from 0 to 1: the fraction of the numbers below the result. Returns 0 for no numbers. */
function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
