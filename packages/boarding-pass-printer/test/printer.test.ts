import { type Duplex, duplexPair } from "node:stream";
import { describe, expect, test } from "@jest/globals";
import { NoBrowser, PrinterBusy, PrintingFailed } from "../src/failures.ts";
import { BoardingPassPrinter, type Drawing } from "../src/printer.ts";
import { serveDrawer } from "../src/serve-drawer.ts";
import { passesOf, passOf } from "./sample-passes.ts";

const drawing: Drawing = { format: "pdf", passes: passesOf(passOf()) };
const drawingOf = (reference: string): Drawing => ({ ...drawing, passes: { ...drawing.passes, reference } });

/** A printer whose drawings end on command. */
function printerFor() {
  const asked: {
    readonly account: string;
    readonly drawing: Drawing;
    readonly answer: PromiseWithResolvers<Uint8Array>;
  }[] = [];
  const far: Duplex[] = [];
  const printer = new BoardingPassPrinter(async () => {
    const [near, other] = duplexPair();
    far.push(other);
    const draw = (account: string, drawing: Drawing) => {
      const answer = Promise.withResolvers<Uint8Array>();
      asked.push({ account, drawing, answer });
      return answer.promise;
    };
    serveDrawer(other, { draw }).catch(() => undefined);
    return near;
  });
  return { printer, asked, far };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("drawing elsewhere", () => {
  test("answers belong to their requests, whichever is ready first", async () => {
    const { printer, asked, far } = printerFor();
    const files = [printer.draw("a", drawingOf("1")), printer.draw("b", drawingOf("2"))];
    while (asked.length < 2) await turn();
    expect(asked.map(({ account, drawing }) => [account, drawing])).toStrictEqual([
      ["a", drawingOf("1")],
      ["b", drawingOf("2")],
    ]);
    asked[1]?.answer.resolve(new Uint8Array([2]));
    expect(Array.from((await files[1]) ?? [])).toStrictEqual([2]);
    asked[0]?.answer.resolve(new Uint8Array([1]));
    expect(Array.from((await files[0]) ?? [])).toStrictEqual([1]);
    expect(far.length).toBe(1);
  });

  test("failures are told by their kind, and nothing of others than ours", async () => {
    const { printer, asked } = printerFor();
    const failures = [new NoBrowser("set BROWSER_PATH"), new PrinterBusy("too many"), new Error("Ada Lovelace")];
    const told = failures.map(() => printer.draw("a", drawing).catch((error: Error) => error));
    while (asked.length < 3) await turn();
    for (const [index, failure] of failures.entries()) asked[index]?.answer.reject(failure);
    expect(await Promise.all(told)).toStrictEqual([
      failures[0],
      failures[1],
      new PrintingFailed("the boarding pass could not be drawn"),
    ]);
  });

  test("a printer that ends fails what it owes, and another takes its place", async () => {
    const { printer, asked, far } = printerFor();
    const lost = [printer.draw("a", drawing), printer.draw("b", drawing)].map((file) =>
      file.catch((error: Error) => error),
    );
    while (asked.length < 2) await turn();
    far[0]?.destroy();
    for (const failure of await Promise.all(lost)) expect(failure).toBeInstanceOf(PrintingFailed);
    const again = printer.draw("a", drawing);
    while (asked.length < 3) await turn();
    asked[2]?.answer.resolve(new Uint8Array([3]));
    expect(Array.from(await again)).toStrictEqual([3]);
    expect(far.length).toBe(2);
  });

  test("of a party of nine this thread writes the characters once, and reads the file once", async () => {
    const names = Array.from({ length: 9 }, (_, passenger) =>
      String.fromCodePoint(...Array.from({ length: 200 }, (_, index) => 0x4e00 + passenger * 2_200 + index * 11)),
    );
    const passes = passesOf(...names.map((passengerName) => passOf({ passengerName })));
    const [near, other] = duplexPair();
    const written: Buffer[] = [];
    const write = near.write.bind(near);
    near.write = (part: Buffer) => {
      written.push(part);
      return write(part);
    };
    const printer = new BoardingPassPrinter(async () => near);
    const file = new Uint8Array(2_500_000);
    void serveDrawer(other, { draw: async () => file });
    expect((await printer.draw("acc_1", { format: "pdf", passes })).byteLength).toBe(file.byteLength);
    const json = JSON.stringify({ id: 1, account: "acc_1", drawing: { format: "pdf", passes } });
    expect(Buffer.concat(written).subarray(8).toString()).toBe(json);
    expect(Buffer.byteLength(json)).toBeLessThan(16_000);
  });
});
