import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Logger, silentLogger } from "@travel-booking/runtime";
import { PrintingFailed } from "../src/failures.ts";
import { BoardingPassPrinter, type Drawing } from "../src/printer.ts";
import { startPrinter } from "../src/start-printer.ts";
import { firstBrowser } from "./first-browser.ts";
import { passesOf, passOf } from "./sample-passes.ts";

const drawing: Drawing = { format: "pdf", passes: passesOf(passOf()) };

let folder: string;
let browserPath: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "printer-"));
  browserPath = (await firstBrowser(folder)).path;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface ToldBrowser {
  readonly browserPid?: number;
}

function openPrinter() {
  const told: { readonly level: string; readonly fields: ToldBrowser; readonly message: string }[] = [];
  const tell = (level: string) => (fields: object, message: string) => void told.push({ level, fields, message });
  const logger: Logger = { ...silentLogger, info: tell("info"), warn: tell("warn"), error: tell("error") };
  const work = join(folder, "work");
  const options = { browserPath, sandbox: process.getuid?.() !== 0, folder: work, logLevel: "info" } as const;
  const streams: Duplex[] = [];
  const printer = new BoardingPassPrinter(async () => {
    const stream = await startPrinter(options, logger);
    streams.push(stream);
    return stream;
  });
  return { printer, told, work, streams };
}

/** The parent process, from the kernel. */
function parentOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ")[1]);
}

const isRunning = (pid: number) => readdirSync("/proc").includes(String(pid));
const isPdf = (file: Uint8Array) => Buffer.from(file.subarray(0, 5)).toString() === "%PDF-";

test("a printer is a process of its own, without our environment; it is replaced, and leaves nothing when it is closed", async () => {
  const { printer, told, work, streams } = openPrinter();
  const [one, other] = await Promise.all([printer.draw("a", drawing), printer.draw("b", drawing)]);
  expect([isPdf(one), isPdf(other), streams.length]).toStrictEqual([true, true, 1]);
  expect(told.map(({ level, message }) => [level, message])).toStrictEqual([["info", "browser started"]]);
  const pidOf = (index: number) => parentOf(told[index]?.fields.browserPid ?? 0);
  const first = pidOf(0);
  expect(parentOf(first)).toBe(process.pid);
  const environment = readFileSync(`/proc/${first}/environ`, "latin1").split("\0");
  expect(environment.map((variable) => variable.split("=")[0])).toStrictEqual(["PATH", ""]);

  const lost = printer.draw("a", { ...drawing, format: "png" });
  process.kill(first, "SIGKILL");
  await expect(lost).rejects.toThrow(PrintingFailed);
  expect(isPdf(await printer.draw("a", drawing))).toBe(true);
  const last = told.findLastIndex(({ message }) => message === "browser started");
  const second = pidOf(last);
  expect(second).not.toBe(first);
  expect(told.map(({ level, message }) => [level, message])).toContainEqual([
    "error",
    "the printer of boarding passes has ended; it is started again on demand",
  ]);

  const browser = told[last]?.fields.browserPid ?? 0;
  await printer.close();
  while (isRunning(second) || isRunning(browser)) await new Promise(setImmediate);
  // A browser whose printer was killed may have written while the next one cleaned up.
  expect(readdirSync(work).filter((name) => name.startsWith("profile-")).length).toBeLessThanOrEqual(1);
});
