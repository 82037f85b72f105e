import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { silentLogger } from "@travel-booking/runtime";
import puppeteer from "puppeteer";
import { NoBrowser } from "../src/failures.ts";
import { PageRenderer, type PageRendererOptions, PageTimeout } from "../src/page-renderer.ts";
import { firstBrowser } from "./first-browser.ts";

const SIZE = { width: 100, height: 50 };
const PAGE = "<!doctype html><p>hello</p>";

let folder: string;
let program: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "page-browser-"));
  program = (await firstBrowser(folder)).path;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function openRenderer(about: Partial<PageRendererOptions> = {}): PageRenderer {
  return new PageRenderer({
    browserPath: program,
    sandbox: process.getuid?.() !== 0,
    folder: join(folder, "work"),
    logger: silentLogger,
    ...about,
  });
}

const isPdf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 5)).toString() === "%PDF-";

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("printing pages", () => {
  test("one browser prints all pages, starts with the first, and leaves no files", async () => {
    const browser = openRenderer();
    expect(await browser.processId()).toBeUndefined();
    const pdfs = await Promise.all(Array.from({ length: 5 }, () => browser.pdf(PAGE, SIZE)));
    expect(pdfs.map(isPdf)).toStrictEqual([true, true, true, true, true]);
    const pid = (await browser.processId()) as number;
    await browser.close();
    expect(isRunning(pid)).toBe(false);
    expect(readdirSync(join(folder, "work"))).toStrictEqual([]);
    await expect(browser.pdf(PAGE, SIZE)).rejects.toThrow("closed");
  });

  test("a killed browser is replaced, for pages being printed and for later ones", async () => {
    const browser = openRenderer();
    await browser.pdf(PAGE, SIZE);
    const first = (await browser.processId()) as number;
    const underWay = Array.from({ length: 4 }, () => browser.pdf(PAGE, SIZE));
    process.kill(first, "SIGKILL");
    expect((await Promise.all(underWay)).map(isPdf)).toStrictEqual([true, true, true, true]);
    const second = (await browser.processId()) as number;
    expect(second).not.toBe(first);
    expect(isPdf(await browser.pdf(PAGE, SIZE))).toBe(true);
    await browser.close();
  });

  test("a page fetches nothing and runs nothing", async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const browser = openRenderer();
    const html = `<!doctype html><link rel="stylesheet" href="${url}/a.css"><img src="${url}/b.png"><iframe src="${url}/c"></iframe>
      <script>fetch("${url}/d"); new Image().src = "${url}/e"; for (;;);</script><p>still printed</p>`;
    expect(isPdf(await browser.pdf(html, SIZE))).toBe(true);
    await browser.close();
    server.close();
    expect(asked).toBe(0);
  });

  test("a page that takes too long fails, and the next one is printed", async () => {
    const slow = openRenderer({ pageTimeoutMs: 1 });
    await expect(slow.pdf(PAGE, SIZE)).rejects.toThrow(PageTimeout);
    await slow.close();
    const browser = openRenderer();
    expect(isPdf(await browser.pdf(PAGE, SIZE))).toBe(true);
    await browser.close();
  });
});

test("a page that is made does not wait for its end in the browser", async () => {
  const connect = puppeteer.connect.bind(puppeteer);
  const closing = jest.spyOn(puppeteer, "connect").mockImplementation(async (options) => {
    const started = await connect(options);
    const newPage = started.newPage.bind(started);
    started.newPage = async () => Object.assign(await newPage(), { close: () => new Promise<void>(() => undefined) });
    return started;
  });
  const browser = openRenderer();
  expect(isPdf(await browser.pdf(PAGE, SIZE))).toBe(true);
  expect(closing).toHaveBeenCalledTimes(1);
  closing.mockRestore();
  await browser.close();
});

describe("a browser that does not start", () => {
  /** A program, the log of its starts, and a `PATH` on which it is `chromium`. */
  function pretended(name: string, script: string) {
    const place = join(folder, name);
    mkdirSync(place);
    const path = join(place, "chromium");
    writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const told: { readonly browser?: string; readonly err?: Error & { readonly lastWords?: string } }[] = [];
    const logger = { info: () => undefined, warn: (fields: object) => void told.push(fields) };
    return { path, place, told, logger };
  }

  test("its exit and last words are in the log, and it is tried again after a pause", async () => {
    const once = `mkdir "${join(folder, "once")}" 2>/dev/null && { echo "no such library" >&2; exit 127; }`;
    const { path, told, logger } = pretended("crashing", `${once}\nexec "${program}" "$@"`);
    const browser = openRenderer({ browserPath: path, logger });
    expect(isPdf(await browser.pdf(PAGE, SIZE))).toBe(true);
    await browser.close();
    expect(told.map(({ browser, err }) => [browser, err?.message, err?.lastWords])).toStrictEqual([
      [path, `the browser ${path} does not start: it ended with exit code 127`, "no such library"],
    ]);
  });

  test("the next is tried: npm's own", async () => {
    const { place, told, logger } = pretended("broken", "kill -TRAP $$");
    const { PATH } = process.env;
    process.env.PATH = place;
    const browser = openRenderer({ browserPath: undefined, folder, logger });
    const pdf = await browser.pdf(PAGE, SIZE).finally(() => {
      process.env.PATH = PATH;
    });
    expect(isPdf(pdf)).toBe(true);
    await browser.close();
    expect(told.map(({ err }) => err?.message)).toStrictEqual([
      `the browser ${join(place, "chromium")} does not start: it was ended by SIGTRAP`,
    ]);
  });

  test("where none starts pages fail, and for a while at once; then it is tried again", async () => {
    const mended = join(folder, "mended");
    const { path, told, logger } = pretended("mending", `test -e "${mended}" && exec "${program}" "$@"\nexit 1`);
    const browser = openRenderer({ browserPath: path, logger, restMs: 1 });
    await expect(browser.pdf(PAGE, SIZE)).rejects.toThrow(NoBrowser);
    expect(told.length).toBe(2);
    writeFileSync(mended, "");
    while ((await browser.pdf(PAGE, SIZE).catch(() => undefined)) === undefined) await new Promise(setImmediate);
    await browser.close();
    expect(told.length).toBe(2);

    const resting = openRenderer({ browserPath: "/bin/true", logger });
    await expect(resting.pdf(PAGE, SIZE)).rejects.toThrow("no browser starts");
    expect(told.length).toBe(4);
    await expect(resting.pdf(PAGE, SIZE)).rejects.toThrow("no browser starts");
    expect(told.length).toBe(4);
    await resting.close();
  });
});
