import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "puppeteer";
import { type FoundBrowser, NoBrowser } from "./find-browser.ts";

/** Real time. */
const START_TIMEOUT_MS = 30_000;

const ARGUMENTS = [
  // Shared memory is scarce in containers.
  "--disable-dev-shm-usage",
  "--disable-gpu",
  "--font-render-hinting=none",
  "--no-pings",
  // Whatever a page requests, no name is resolved and no connection is made.
  "--host-resolver-rules=MAP * ~NOTFOUND",
  "--proxy-server=http://127.0.0.1:9",
  "--proxy-bypass-list=<-loopback>",
];

export interface LaunchedBrowser {
  readonly browser: Browser;
  /** Ends the browser and removes its files. */
  close(): Promise<void>;
}

/**
 * The browser gets none of our environment, which has secrets. It is controlled over a pipe and ends when the pipe is
 * closed, so it never outlives this process.
 * @param folder for the files of the browser; nobody else may write to it.
 * @param sandbox false: without the browser's own sandbox, as root and most containers need it.
 * @throws NoBrowser it does not start.
 */
export async function launchBrowser(found: FoundBrowser, folder: string, sandbox: boolean): Promise<LaunchedBrowser> {
  try {
    return await launchOnce(found, folder, sandbox);
  } catch (error) {
    // Browsers crash at start now and then, so try once more; but not after a time-out.
    if (error instanceof NoBrowser && (error.cause as Error).name === "TimeoutError") throw error;
    return launchOnce(found, folder, sandbox);
  }
}

async function launchOnce(found: FoundBrowser, folder: string, sandbox: boolean): Promise<LaunchedBrowser> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const profile = mkdtempSync(join(folder, "profile-"));
  const removeProfile = () => rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  try {
    const { default: puppeteer } = await import("puppeteer");
    const browser = await puppeteer.launch({
      executablePath: found.path,
      headless: "shell",
      pipe: true,
      args: [...ARGUMENTS, ...(sandbox ? [] : ["--no-sandbox"])],
      env: { PATH: process.env.PATH ?? "", HOME: profile, TMPDIR: profile, TZ: "UTC", ...found.env },
      userDataDir: join(profile, "data"),
      timeout: START_TIMEOUT_MS,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    return {
      browser,
      async close() {
        await browser.close().catch(() => browser.process()?.kill("SIGKILL"));
        removeProfile();
      },
    };
  } catch (cause) {
    removeProfile();
    throw new NoBrowser(`the browser ${found.path} does not start`, { cause });
  }
}
