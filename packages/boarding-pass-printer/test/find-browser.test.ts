import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { browsersToTry, systemBrowser } from "../src/find-browser.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "find-browser-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("finding a browser", () => {
  const found = (browserPath: string) => Array.fromAsync(browsersToTry({ browserPath, folder }));

  test("that of the setting is the only one", async () => {
    expect(await found(process.execPath)).toStrictEqual([{ path: process.execPath, env: {} }]);
    await expect(found("none")).rejects.toThrow("BROWSER_PATH is none");
    const missing = join(folder, "missing");
    await expect(found(missing)).rejects.toThrow(`BROWSER_PATH is "${missing}"`);
    await expect(found(folder)).rejects.toThrow("there is no program to start");
  });

  test("without it, the machine's: the first name on the PATH that is a program", () => {
    const PATH = `/nowhere:${folder}`;
    expect(systemBrowser({ PATH }, "linux")).toBeUndefined();
    writeFileSync(join(folder, "chromium"), "");
    writeFileSync(join(folder, "google-chrome"), "");
    chmodSync(join(folder, "google-chrome"), 0o700);
    expect(systemBrowser({ PATH }, "linux")).toBe(join(folder, "google-chrome"));
    chmodSync(join(folder, "chromium"), 0o700);
    expect(systemBrowser({ PATH }, "linux")).toBe(join(folder, "chromium"));
  });
});
