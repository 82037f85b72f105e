import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { BoardingPassesBody } from "@travel-booking/api-contract";
import type { Page } from "puppeteer";
import { PHONE_WIDTH, renderPassesHtml } from "../src/page.ts";
import { type StartedBrowser, startBrowser } from "../src/start-browser.ts";
import { firstBrowser } from "./first-browser.ts";
import { passesOf, passOf } from "./sample-passes.ts";

let folder: string;
let started: StartedBrowser;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "scripts-browser-"));
  started = await startBrowser(await firstBrowser(folder), join(folder, "work"), process.getuid?.() !== 0);
});
afterAll(async () => {
  await started.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A page with these passes, as the browser draws it. */
async function drawn(passes: BoardingPassesBody, medium: "paper" | "phone"): Promise<Page> {
  const page = await started.browser.newPage();
  await page.setViewport({ width: PHONE_WIDTH, height: 600 });
  await page.setContent(renderPassesHtml(passes, medium));
  await page.evaluate("document.fonts.ready.then(() => undefined)");
  return page;
}

/** The font families with which the browser draws each passenger's name, and whether the page brought them. */
async function fontsOfNames(...names: readonly string[]) {
  const page = await drawn(passesOf(...names.map((passengerName) => passOf({ passengerName }))), "phone");
  const session = await page.createCDPSession();
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root } = await session.send("DOM.getDocument");
  const { nodeIds } = await session.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector: ".name" });
  const fontsOfNodes = await Promise.all(
    nodeIds.map(async (nodeId) => {
      const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
      return fonts.map(({ familyName, isCustomFont }) => (isCustomFont ? familyName : `${familyName} of the machine`));
    }),
  );
  await page.close();
  return fontsOfNodes;
}

const NAMES: readonly (readonly [name: string, font: RegExp])[] = [
  ["Ада Ґалаґан", /^Inter/],
  ["Ελένη Παπαδοπούλου", /^Inter/],
  ["Nguyễn Thị Ánh", /^Inter/],
  ["李小龍", /^Noto Sans SC/],
  ["陳龢堃", /^Noto Sans [ST]C/],
  ["髙橋 さくら", /^Noto Sans (?:JP|SC|TC)/],
  ["ジョン・スミス", /^Noto Sans JP|^Inter/],
  ["김철수", /^Noto Sans KR/],
  ["محمد علي", /^Noto Sans Arabic/],
  ["דוד כהן", /^Noto Sans Hebrew/],
  ["अमित शर्मा", /^Noto Sans Devanagari/],
  ["রবীন্দ্রনাথ", /^Noto Sans Bengali/],
  ["ਗੁਰਪ੍ਰੀਤ", /^Noto Sans Gurmukhi/],
  ["ગાંધી", /^Noto Sans Gujarati/],
  ["ଓଡ଼ିଆ", /^Noto Sans Oriya/],
  ["முருகன்", /^Noto Sans Tamil/],
  ["రాముడు", /^Noto Sans Telugu/],
  ["ಕುಮಾರ್", /^Noto Sans Kannada/],
  ["മോഹൻ", /^Noto Sans Malayalam/],
  ["සුනිල්", /^Noto Sans Sinhala/],
  ["สมชาย ใจดี", /^Noto Sans Thai/],
  ["ສົມສັກ", /^Noto Sans Lao/],
  ["မောင်မောင်", /^Noto Sans Myanmar/],
  ["សុខា", /^Noto Sans Khmer/],
  ["გიორგი", /^Noto Sans Georgian/],
  ["Արամ", /^Noto Sans Armenian/],
  ["አበበ", /^Noto Sans Ethiopic/],
  ["ޢަލީ", /^Noto Sans Thaana/],
];

describe("a name in any script", () => {
  test("is drawn with fonts the page brings, and no letter of it as a box", async () => {
    const found = await fontsOfNames(...NAMES.map(([name]) => name));
    for (const [index, [name, font]] of NAMES.entries()) {
      expect([
        name,
        found[index]?.filter((family) => !/^(?:Inter|Noto Sans)/.test(family) || family.endsWith("machine")),
      ]).toStrictEqual([name, []]);
      expect(`${name}: ${found[index]?.find((family) => font.test(family))}`).toMatch(
        new RegExp(`: ${font.source.replaceAll("^", "")}`),
      );
    }
  });

  test("of a script without a font is seen to be so", async () => {
    expect((await fontsOfNames("𐌰𐌳𐌰"))[0]?.some((family) => family.endsWith("of the machine"))).toBe(true);
  });
});

describe("the longest of everything", () => {
  const longest = (letter: string) =>
    passOf({
      passengerName: letter.repeat(200),
      destination: { id: "d", name: letter.repeat(200) },
      from: "WWWWWWWW",
      flightId: letter.repeat(64),
      seat: "999W",
      sequence: 99_999,
      cabin: "premium_economy",
      memberNumber: letter.repeat(255),
      documentCheck: "missing",
    });
  const passes = { ...passesOf(longest("W"), longest("龍"), longest("i ")), reference: "W".repeat(64) };

  test.each(["paper", "phone"] as const)("fits on %s", async (medium) => {
    const page = await drawn(passes, medium);
    const outside = await page.evaluate(`[...document.querySelectorAll("body *")]
      .filter((one) => {
        const card = one.closest(".pass").getBoundingClientRect();
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return left < card.left - 1 || right > card.right + 1 || top < card.top - 1 || bottom > card.bottom + 1;
      })
      .map((one) => one.className + ": " + one.textContent.slice(0, 20))`);
    await page.close();
    expect(outside).toStrictEqual([]);
  });
});
