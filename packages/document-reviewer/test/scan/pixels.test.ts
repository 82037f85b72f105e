import { describe, expect, test } from "@jest/globals";
import sharp from "sharp";
import { decodeGreyImage, type GreyImage, normalised, resized } from "../../src/scan/grey-image.ts";
import { binarize, connectedComponents } from "../../src/scan/ink.ts";
import { characterCells, endsWithNames, nameEvidence } from "../../src/scan/name-evidence.ts";
import { cropRegion } from "../../src/scan/read-region.ts";
import { findZoneRegions, isWithin } from "../../src/scan/zone-regions.ts";
import { CARD, cardZone, PASSPORT_PAGE, passportZone, printPdf, scanDocument } from "../../testing/index.ts";

const ADA = { surname: "LOVELACE", givenNames: "ADA KING", expiresOn: "360101" };

/** Rows of pixels, one per character: `#` is black, all else white. */
function drawn(...rows: readonly string[]): Uint8Array {
  return Uint8Array.from([...rows.join("")].map((one) => (one === "#" ? 1 : 0)));
}

describe("ink", () => {
  test("is what is darker than what is around it, in the shade as well as in the light", () => {
    const [width, height] = [200, 40];
    const isLine = (x: number) => x % 40 >= 18 && x % 40 < 22;
    const pixels = Uint8Array.from({ length: width * height }, (_, at) => {
      const light = 80 + ((at % width) * 170) / width;
      return isLine(at % width) ? light * 0.4 : light;
    });
    const ink = binarize({ width, height, pixels }, 15);
    expect([...ink.subarray(20 * width, 21 * width)]).toStrictEqual(
      Array.from({ length: width }, (_, x) => (isLine(x) ? 1 : 0)),
    );
  });

  test("is nowhere on a plain picture, or a very small one", () => {
    for (const [width, height] of [
      [30, 20],
      [1, 1],
    ] as const) {
      const pixels = new Uint8Array(width * height).fill(90);
      expect(binarize({ width, height, pixels }, 9).includes(1)).toBe(false);
    }
  });
});

describe("blobs", () => {
  test("hang together over their corners, and over several rows", () => {
    const ink = drawn("#.#..##", "#.#..#.", "###....", "....#..", ".....#.");
    expect(connectedComponents(ink, 7, 5)).toStrictEqual([
      { left: 0, top: 0, right: 2, bottom: 2 },
      { left: 5, top: 0, right: 6, bottom: 1 },
      { left: 4, top: 3, right: 5, bottom: 4 },
    ]);
  });

  test("are not counted where there are too many", () => {
    const side = 1_200;
    const ink = Uint8Array.from({ length: side * side }, (_, at) => at % 2);
    expect(connectedComponents(ink, side, side)).toBeUndefined();
  });
});

const plain = (width: number, height: number): GreyImage => ({
  width,
  height,
  pixels: new Uint8Array(width * height).fill(255),
});

async function scan(turn: number, zone: readonly string[], size = PASSPORT_PAGE): Promise<GreyImage> {
  const sheet = { width: 150, height: 150 };
  const printed = await printPdf({ size, zone });
  return await decodeGreyImage(await scanDocument(printed, { sheet, at: { x: 75, y: 75 }, dotsPerInch: 200, turn }));
}

describe("the place of a zone", () => {
  test.each([0, 90, 180 - 4])("is found, and its direction: %d degrees", async (turn) => {
    const { regions } = findZoneRegions(await scan(turn, passportZone(ADA)));
    const [place] = regions;
    const angle = (turn / 180) * Math.PI;
    const along = place!.along.x * Math.cos(angle) + place!.along.y * Math.sin(angle);
    expect(Math.abs(along)).toBeGreaterThan(Math.cos((0.3 / 180) * Math.PI));
    // 44 letters of a tenth of an inch, ten millimetres or so above the foot of the page.
    expect(place!.length / 200).toBeCloseTo(4.4, 0.7);
    const down = { x: place!.middle.x - 590, y: place!.middle.y - 590 };
    const below = (-down.x * Math.sin(angle) + down.y * Math.cos(angle)) / 200;
    expect(below * 25.4).toBeCloseTo(44 - 10, -0.7);
  });

  test("is nowhere on a picture of nothing", () => {
    expect(findZoneRegions(plain(300, 200))).toStrictEqual({ regions: [], letters: 0 });
  });

  test("is given once, whichever of its lines it was found by", async () => {
    const { regions } = findZoneRegions(await scan(0, cardZone(ADA), CARD));
    const [first, ...others] = regions;
    expect(first!.score).toBeGreaterThan(0.9);
    expect(others.some((other) => isWithin(other, first!))).toBe(false);
  });
});

describe("what is cut out", () => {
  const picture = plain(100, 60);
  picture.pixels[20 * 100 + 30] = 0;
  const place = { middle: { x: 30, y: 20 }, length: 13, thickness: 5, letterHeight: 1, score: 1 };
  const blackAt = ({ width, pixels }: GreyImage) => {
    const at = pixels.indexOf(0);
    return [at % width, Math.floor(at / width)];
  };

  test.each([
    [1, 0],
    [0, 1],
    [-1, 0],
  ])("has the middle of the place in its middle, along %d, %d", (x, y) => {
    for (const upsideDown of [false, true]) {
      const cut = cropRegion(picture, { ...place, along: { x, y } }, upsideDown)!;
      expect([cut.width, cut.height]).toStrictEqual([19, 11]);
      expect(blackAt(cut)).toStrictEqual([9, 5]);
    }
  });

  test("is turned", () => {
    const beside = { ...place, middle: { x: 30, y: 16 } };
    expect(blackAt(cropRegion(picture, { ...beside, along: { x: 0, y: 1 } }, false)!)).toStrictEqual([13, 5]);
    expect(blackAt(cropRegion(picture, { ...beside, along: { x: 0, y: 1 } }, true)!)).toStrictEqual([5, 5]);
  });

  test("may lie beyond the picture, and is not without bounds", () => {
    const along = { x: 1, y: 0 };
    expect(cropRegion(plain(1, 1), { ...place, along }, false)?.pixels.every((one) => one === 255)).toBe(true);
    expect(cropRegion(picture, { ...place, along, length: 1e5, thickness: 1e3 }, false)).toBeUndefined();
  });
});

describe("fillers", () => {
  test.each([
    ["a passport", passportZone(ADA), PASSPORT_PAGE],
    ["an identity card", cardZone(ADA), CARD],
  ])("in the zone of %s are known by their shape", async (_, zone, size) => {
    const picture = await scan(2, zone, size);
    const [place] = findZoneRegions(picture).regions;
    const cut = await normalised(cropRegion(picture, place!, false)!, 1);
    const lines = characterCells(await resized(cut, 30 / place!.letterHeight), 30);
    for (const line of zone) {
      const isLike = (seen: string) =>
        seen.length === line.length &&
        [...seen].every((shape, at) => shape === "?" || shape === " " || (shape === "<") === (line[at] === "<"));
      const seen = lines.find(isLike);
      expect(seen?.replaceAll(/[^<]/g, "").length).toBe(line.replaceAll(/[^<]/g, "").length);
    }
  });

  const names = (surname: string, givenNames: string) => ({
    documentCode: "P",
    surname: surname.split(" "),
    givenNames: givenNames.split(" "),
    namesCutOff: false,
    expiresOn: "360101",
    number: "L898902C3",
  });
  const seen = "A<AAAAAA?AAAA<<A?A<AAAA".padEnd(44, "<");
  const second = "AAAAAAAAA?AAAAAAAAAAAAAAAAAAAAAAAAAAA<<<<<AA";

  test.each([
    ["borne_out", "LOVELACE", "ADA KING"],
    ["contradicted", "LOVELACE", "ADA KKING"],
    ["contradicted", "LOVELACE", "ADAKKING"],
    ["contradicted", "LOVELACE", "ADA KIN"],
    ["contradicted", "LOVELACE ADA", "KING"],
    ["contradicted", "LOVELACE", "ADA"],
  ])("say of names that they are %s: %s, %s", (support, surname, givenNames) => {
    expect(nameEvidence(names(surname, givenNames), [second, seen])).toBe(support);
  });

  test("say that a document's code has no second letter", () => {
    expect(nameEvidence({ ...names("LOVELACE", "ADA KING"), documentCode: "PU" }, [seen])).toBe("contradicted");
  });

  test("do not bear out a name behind which another one may follow", () => {
    const initial = `${seen.slice(0, 24)}?${seen.slice(25)}`;
    expect(nameEvidence(names("LOVELACE", "ADA KING"), [initial])).toBe("unknown");
  });

  test("are all there is behind the names, or there may be more of these", () => {
    const [line] = passportZone(ADA);
    const ada = names("LOVELACE", "ADA KING");
    expect(endsWithNames(ada, ["UTOPIA", `${line.slice(0, 30)} ${line.slice(30)}`])).toBe(true);
    expect(endsWithNames(ada, [`${line.slice(0, 24)}C${line.slice(25)}`])).toBe(false);
    expect(endsWithNames(ada, ["P<UTOLOVELACE<<ADA<XING<<<<"])).toBe(false);
  });

  test("say nothing where they were not made out", () => {
    const ada = names("LOVELACE", "ADA KING");
    expect(nameEvidence(ada, [])).toBe("unknown");
    expect(nameEvidence(ada, [seen.slice(1)])).toBe("unknown");
    expect(nameEvidence(ada, [seen.replaceAll("<", "?")])).toBe("unknown");
    expect(nameEvidence(ada, [` ${seen.slice(1)}`])).toBe("unknown");
    expect(nameEvidence(ada, [`${seen.slice(0, 13)}?${seen.slice(14)}`])).toBe("unknown");
  });
});

test("a picture of colours becomes grey, and keeps its size", async () => {
  const content = await sharp({ create: { width: 7, height: 3, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const { width, height, pixels } = await decodeGreyImage(content);
  expect([width, height, pixels.length]).toStrictEqual([7, 3, 21]);
});
