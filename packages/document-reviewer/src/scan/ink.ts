import type { GreyImage } from "./grey-image.ts";

/** Ink is darker than this fraction of its neighbourhood. Guilloches and shadows are paler. */
const DARKER = 0.82;
/** Ink is also darker by this much, of 255, so that dark parts of a photograph do not count as ink. */
const DARKER_BY = 12;

/**
 * 1 where a picture is clearly darker than its neighbourhood, else 0. The result shows writing in any light.
 * @param reach pixels of the neighbourhood to each side: roughly the height of a letter.
 */
export function binarize({ width, height, pixels }: GreyImage, reach: number): Uint8Array {
  const ink = new Uint8Array(width * height);
  // Sums of each column over the rows of the neighbourhood, which move down with it.
  const columns = new Uint32Array(width);
  let rows = 0;
  const add = (y: number, sign: 1 | -1) => {
    rows += sign;
    for (let x = 0, at = y * width; x < width; x += 1, at += 1) {
      columns[x] = (columns[x] as number) + sign * (pixels[at] as number);
    }
  };
  for (let y = 0; y < Math.min(reach, height); y += 1) add(y, 1);
  for (let y = 0; y < height; y += 1) {
    if (y + reach < height) add(y + reach, 1);
    if (y - reach - 1 >= 0) add(y - reach - 1, -1);
    let sum = 0;
    let wide = 0;
    for (let x = 0; x < Math.min(reach, width); x += 1, wide += 1) sum += columns[x] as number;
    for (let x = 0, at = y * width; x < width; x += 1, at += 1) {
      if (x + reach < width) {
        sum += columns[x + reach] as number;
        wide += 1;
      }
      if (x - reach - 1 >= 0) {
        sum -= columns[x - reach - 1] as number;
        wide -= 1;
      }
      const mean = sum / (wide * rows);
      const own = pixels[at] as number;
      if (own < mean * DARKER && own + DARKER_BY < mean) ink[at] = 1;
    }
  }
  return ink;
}

/** The bounding box of a connected patch of ink, in pixels. `right` and `bottom` are inclusive. */
export interface ConnectedComponent {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Maximum runs of ink: a page full of text has a third of that. */
const MOST_RUNS = 600_000;

/**
 * The connected components of ink in a picture; touching corners connect.
 * @returns undefined if there are too many to be writing.
 */
export function connectedComponents(
  ink: Uint8Array,
  width: number,
  height: number,
): readonly ConnectedComponent[] | undefined {
  const runs = new Runs();
  let above: RunRange = { from: 0, to: 0 };
  for (let y = 0; y < height; y += 1) {
    const own = { from: runs.size, to: runs.size };
    const end = (y + 1) * width;
    for (let at = y * width; at < end; at += 1) {
      if (ink[at] === 0) continue;
      const start = at;
      while (at < end && ink[at] === 1) at += 1;
      if (runs.size === MOST_RUNS) return undefined;
      runs.add(start - y * width, at - 1 - y * width, y);
      own.to += 1;
    }
    runs.join(above, own);
    above = own;
  }
  return runs.components();
}

interface RunRange {
  readonly from: number;
  to: number;
}

/** Horizontal runs of ink and their connections. */
class Runs {
  readonly #left: number[] = [];
  readonly #right: number[] = [];
  readonly #row: number[] = [];
  readonly #parent: number[] = [];

  get size(): number {
    return this.#row.length;
  }

  add(left: number, right: number, row: number): void {
    this.#parent.push(this.size);
    this.#left.push(left);
    this.#right.push(right);
    this.#row.push(row);
  }

  /** Connects the runs of two rows, each sorted from left to right. */
  join(above: RunRange, own: RunRange): void {
    let upper = above.from;
    let lower = own.from;
    while (upper < above.to && lower < own.to) {
      const upperRight = this.#right[upper] as number;
      const lowerRight = this.#right[lower] as number;
      if ((this.#left[upper] as number) <= lowerRight + 1 && (this.#left[lower] as number) <= upperRight + 1) {
        this.#unite(upper, lower);
      }
      if (upperRight < lowerRight) upper += 1;
      else lower += 1;
    }
  }

  components(): readonly ConnectedComponent[] {
    const boxes = new Map<number, { left: number; top: number; right: number; bottom: number }>();
    for (let run = 0; run < this.size; run += 1) {
      const root = this.#root(run);
      const [left, right, row] = [this.#left[run] as number, this.#right[run] as number, this.#row[run] as number];
      const box = boxes.get(root);
      if (box === undefined) boxes.set(root, { left, top: row, right, bottom: row });
      else {
        box.left = Math.min(box.left, left);
        box.right = Math.max(box.right, right);
        box.bottom = row;
      }
    }
    return [...boxes.values()];
  }

  #unite(one: number, other: number): void {
    const [first, second] = [this.#root(one), this.#root(other)];
    this.#parent[Math.max(first, second)] = Math.min(first, second);
  }

  #root(run: number): number {
    let root = run;
    while (this.#parent[root] !== root) {
      this.#parent[root] = this.#parent[this.#parent[root] as number] as number;
      root = this.#parent[root] as number;
    }
    return root;
  }
}
