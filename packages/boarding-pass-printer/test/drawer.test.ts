import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { BoardingPassesBody } from "@travel-booking/api-contract";
import { silentLogger } from "@travel-booking/runtime";
import { Drawer } from "../src/drawer.ts";
import { NoBrowser, PrintingFailed } from "../src/failures.ts";
import { renderBarcodesPng } from "../src/render-barcodes.ts";
import { passesOf, passOf } from "./sample-passes.ts";

const MEGABYTE = 1_048_576;
const FIVE_MINUTES = 300_000;

const ada = passesOf(passOf());
const erased = passesOf(passOf({ passengerName: "[erased]" }));

/** A drawer whose browser draws files of this size, or fails. `drawn` lists what was drawn. */
function drawerFor({ bytes = 10, failure }: { readonly bytes?: number; readonly failure?: Error } = {}) {
  const drawn: string[] = [];
  const errors: unknown[] = [];
  const browser = { failure };
  const draw = async (html: string) => {
    if (browser.failure !== undefined) throw browser.failure;
    drawn.push(/dir="auto">([^<]*)/.exec(html)?.[1] ?? "");
    return new Uint8Array(bytes).fill(drawn.length);
  };
  const logger = { ...silentLogger, error: (fields: object) => void errors.push(fields) };
  const drawer = new Drawer({ renderer: { pdf: draw, png: draw }, logger });
  const pdf = (passes: BoardingPassesBody, account = "a") =>
    drawer.draw(account, { format: "pdf", passes }, () => true);
  const png = (passes: BoardingPassesBody, account = "a") =>
    drawer.draw(account, { format: "png", passes }, () => true);
  const unwanted = () => drawer.draw("a", { format: "pdf", passes: ada }, () => false);
  return { drawn, errors, browser, pdf, png, unwanted };
}

describe("what was drawn is kept", () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test("and what is asked for meanwhile: the same is drawn once", async () => {
    const { drawn, pdf, png } = drawerFor();
    const [first, second] = await Promise.all([pdf(ada), pdf(ada)]);
    expect([await pdf(ada), second]).toStrictEqual([first, first]);
    expect(await png(ada)).not.toStrictEqual(first);
    expect(drawn.length).toBe(2);
  });

  test("by all that is drawn: of a booking that was changed or erased nobody gets what was before", async () => {
    const { drawn, pdf } = drawerFor();
    const before = await pdf(ada);
    for (const passes of [erased, { ...ada, reference: "x" }, passesOf(passOf({ documentCheck: "missing" }))]) {
      expect(await pdf(passes)).not.toStrictEqual(before);
    }
    expect(drawn).toStrictEqual(["Ada Lovelace", "[erased]", "Ada Lovelace", "Ada Lovelace"]);
  });

  test("for five minutes, however often it is asked for", async () => {
    const { drawn, pdf } = drawerFor();
    await pdf(ada);
    jest.advanceTimersByTime(FIVE_MINUTES - 1_000);
    await pdf(ada);
    expect(drawn.length).toBe(1);
    jest.advanceTimersByTime(2_000);
    await pdf(ada);
    expect(drawn.length).toBe(2);
  });

  test("up to 32 MB: those used longest ago go first", async () => {
    const { drawn, pdf } = drawerFor({ bytes: 10 * MEGABYTE });
    const of = (seat: string) => passesOf(passOf({ seat }));
    for (const seat of ["1A", "1B", "1C", "1D", "1D", "1B"]) await pdf(of(seat));
    expect(drawn.length).toBe(4);
    await pdf(of("1A"));
    expect(drawn.length).toBe(5);
  });
});

test("what nobody waits for any more when its turn comes is not drawn", async () => {
  const { drawn, unwanted, pdf } = drawerFor();
  await expect(unwanted()).rejects.toThrow(PrintingFailed);
  await pdf(ada);
  expect(drawn).toStrictEqual(["Ada Lovelace"]);
});

describe("where nothing can be drawn", () => {
  test("a PNG has the barcodes, until it can; a PDF fails", async () => {
    const { errors, browser, pdf, png } = drawerFor({ failure: new NoBrowser("none") });
    await expect(pdf(ada)).rejects.toThrow(NoBrowser);
    expect(await png(ada)).toStrictEqual(await renderBarcodesPng(ada));
    expect(errors).toStrictEqual([]);
    browser.failure = undefined;
    expect(await png(ada)).toStrictEqual(new Uint8Array(10).fill(1));
  });

  test("what a browser fails on is in the log", async () => {
    const failure = new Error("it has ended");
    const { errors, pdf, png } = drawerFor({ failure });
    await expect(pdf(ada)).rejects.toThrow(failure);
    expect(await png(ada)).toStrictEqual(await renderBarcodesPng(ada));
    expect(errors).toStrictEqual([
      { err: failure, format: "pdf" },
      { err: failure, format: "png" },
    ]);
  });
});
