import type { GreyImage } from "./grey-image.ts";

/** Ink is darker than this part of what is around it: guilloches and shadows are paler. */
const DARKER = 0.82;
/** And darker by so much, of 255: the dark parts of a photograph are not full of ink. */
const DARKER_BY = 12;

/**
 * 1 where a picture is clearly darker than its neighbourhood, else 0: what is written, whatever the light was.
 * @param reach pixels of the neighbourhood to each side: as far as a letter is high, more or less.
 */
export function binarize({ width, height, pixels }: GreyImage, reach: number): Uint8Array {
  const ink = new Uint8Array(width * height);
  // Sums over the rows of the neighbourhood, column by column: they move down with it.
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
