import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ConcurrencyLimiter, PrinterBusy } from "../src/concurrency-limiter.ts";
import { findBrowser, systemBrowser } from "../src/find-browser.ts";

test("the limiter runs two tasks at once, queues two in their order, and refuses more", async () => {
  const limiter = new ConcurrencyLimiter(2, 2);
  const started: number[] = [];
  const tasks = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const all = tasks.map(({ promise }, index) =>
    limiter.run(() => {
      started.push(index);
      return promise;
    }),
  );
  await expect(limiter.run(async () => undefined)).rejects.toThrow(PrinterBusy);
  expect(started).toStrictEqual([0, 1]);
  tasks[1]?.resolve();
  await all[1];
  tasks[0]?.reject(new Error("failed"));
  await expect(all[0]).rejects.toThrow("failed");
  expect(started).toStrictEqual([0, 1, 2, 3]);
  tasks[2]?.resolve();
  tasks[3]?.resolve();
  await Promise.all([all[2], all[3]]);
  expect(await limiter.run(async () => "free again")).toBe("free again");
});

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
