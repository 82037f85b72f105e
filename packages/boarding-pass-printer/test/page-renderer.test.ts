import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { silentLogger } from "@travel-booking/runtime";
import { findBrowser, NoBrowser } from "../src/find-browser.ts";
import { PageRenderer, type PageRendererOptions, PageTimeout } from "../src/page-renderer.ts";

const SIZE = { width: 100, height: 50 };
const PAGE = "<!doctype html><p>hello</p>";

let folder: string;
let program: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "page-browser-"));
  program = (await findBrowser({ browserPath: process.env.BROWSER_PATH, folder })).path;
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

  test("a browser that crashes at start is started once more", async () => {
    const crashing = join(folder, "crashing");
    writeFileSync(crashing, `#!/bin/sh\nmkdir "${crashing}-once" 2>/dev/null && exit 1\nexec "${program}" "$@"\n`, {
      mode: 0o755,
    });
    const browser = openRenderer({ browserPath: crashing });
    expect(isPdf(await browser.pdf(PAGE, SIZE))).toBe(true);
    await browser.close();
    expect(readdirSync(folder)).toContain("crashing-once");
  });

  test("a program that is no browser fails every page", async () => {
    const browser = openRenderer({ browserPath: "/bin/true" });
    await expect(browser.pdf(PAGE, SIZE)).rejects.toThrow(NoBrowser);
    await expect(browser.pdf(PAGE, SIZE)).rejects.toThrow("does not start");
    await browser.close();
  });
});
