import type { GreyImage } from "./grey-image.ts";
import type { ZoneRegion } from "./zone-regions.ts";

/** In heights of a letter: room to each side of a place, for a line or a few letters that were not seen. */
const ROOM_ALONG = 3;
const ROOM_ACROSS = 3;
/** Pixels: of more, a place is none. */
const MAX_REGION_PIXELS = 8_000_000;

/**
 * The part of a picture where a zone may be, turned so that its lines lie level.
 * @param upsideDown whether its lines are read against the direction of the place.
 * @returns undefined where it would be too large.
 */
export function cropRegion(
  picture: GreyImage,
  { middle, along, length, thickness, letterHeight }: ZoneRegion,
  upsideDown: boolean,
): GreyImage | undefined {
  const width = Math.ceil(length + 2 * ROOM_ALONG * letterHeight);
  const height = Math.ceil(thickness + 2 * ROOM_ACROSS * letterHeight);
  if (width * height > MAX_REGION_PIXELS) return undefined;
  const sign = upsideDown ? -1 : 1;
  const right = { x: sign * along.x, y: sign * along.y };
  const down = { x: -right.y, y: right.x };
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const below = row - (height - 1) / 2;
    for (let column = 0; column < width; column += 1) {
      const beside = column - (width - 1) / 2;
      const x = middle.x + beside * right.x + below * down.x;
      const y = middle.y + beside * right.y + below * down.y;
      pixels[row * width + column] = brightness(picture, x, y);
    }
  }
  return { width, height, pixels };
}

/** Between four pixels (bilinear); beyond the picture all is as it is at its edge. */
function brightness({ width, height, pixels }: GreyImage, x: number, y: number): number {
  const insideX = Math.min(Math.max(x, 0), width - 1);
  const insideY = Math.min(Math.max(y, 0), height - 1);
  const left = Math.min(Math.floor(insideX), Math.max(0, width - 2));
  const top = Math.min(Math.floor(insideY), Math.max(0, height - 2));
  const at = top * width + left;
  const nextX = width > 1 ? 1 : 0;
  const nextY = height > 1 ? width : 0;
  const [partX, partY] = [insideX - left, insideY - top];
  const above = (pixels[at] as number) * (1 - partX) + (pixels[at + nextX] as number) * partX;
  const beneath = (pixels[at + nextY] as number) * (1 - partX) + (pixels[at + nextY + nextX] as number) * partX;
  return Math.round(above * (1 - partY) + beneath * partY);
}
