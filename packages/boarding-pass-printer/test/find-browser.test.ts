import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { findBrowser, systemBrowser } from "../src/find-browser.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "find-browser-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("finding a browser", () => {
  test("the setting comes first, and is believed", async () => {
    expect(await findBrowser({ browserPath: process.execPath, folder })).toStrictEqual({
      path: process.execPath,
      env: {},
    });
    await expect(findBrowser({ browserPath: "none", folder })).rejects.toThrow("BROWSER_PATH is none");
    const missing = join(folder, "missing");
    await expect(findBrowser({ browserPath: missing, folder })).rejects.toThrow(`BROWSER_PATH is "${missing}"`);
    await expect(findBrowser({ browserPath: folder, folder })).rejects.toThrow("there is no program to start");
  });

  test("then the machine's: the first name on the PATH that is a program", () => {
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
