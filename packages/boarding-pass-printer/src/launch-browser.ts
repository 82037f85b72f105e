import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "puppeteer";
import { NoBrowser } from "./concurrency-limiter.ts";
import type { FoundBrowser } from "./find-browser.ts";

/** Real time. */
const START_TIMEOUT_MS = 30_000;

const ARGUMENTS = [
  // Shared memory is scarce in containers.
  "--disable-dev-shm-usage",
  "--disable-gpu",
  "--font-render-hinting=none",
  "--no-pings",
  // Nothing is looked up and nothing is called, whatever a page asks for.
  "--host-resolver-rules=MAP * ~NOTFOUND",
  "--proxy-server=http://127.0.0.1:9",
  "--proxy-bypass-list=<-loopback>",
];

export interface LaunchedBrowser {
  readonly browser: Browser;
  /** Ends it and removes what it has written. */
  close(): Promise<void>;
}

/**
 * Starts a browser. It is told of nothing in our environment, which holds secrets. It is spoken to over a pipe, and ends
 * by itself when that is closed, so it does not outlive this process however that ends.
 * @param folder for what it writes; nobody else may write there.
 * @param sandbox false: its own sandbox is left out, as it has to be for root and in most containers.
 * @throws NoBrowser it does not start.
 */
export async function launchBrowser(found: FoundBrowser, folder: string, sandbox: boolean): Promise<LaunchedBrowser> {
  try {
    return await launchOnce(found, folder, sandbox);
  } catch (error) {
    // Once in a great while one crashes as it starts. One that does not answer in time has been waited for enough.
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
