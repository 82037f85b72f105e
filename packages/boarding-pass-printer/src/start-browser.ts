import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { withTimeout } from "@travel-booking/runtime/real-time";
import puppeteer, { type Browser } from "puppeteer";
import { BrowserPipe } from "./browser-pipe.ts";
import type { FoundBrowser } from "./find-browser.ts";

/** Real time. */
const START_TIMEOUT_MS = 30_000;
/** Real time. */
const CLOSE_TIMEOUT_MS = 3_000;
/** Characters kept of its last output, and the real time after its end in which output may still come. */
const MAX_LAST_WORDS = 2_000;
const LAST_WORDS_MS = 100;

const ARGUMENTS = [
  "--remote-debugging-pipe",
  // Shared memory is scarce in containers.
  "--disable-dev-shm-usage",
  "--disable-gpu",
  "--font-render-hinting=none",
  "--no-pings",
  // No name is resolved and no connection is made, whatever a page requests.
  "--host-resolver-rules=MAP * ~NOTFOUND",
  "--proxy-server=http://127.0.0.1:9",
  "--proxy-bypass-list=<-loopback>",
];

/** A browser did not start. Its last output names no person, because nothing has been drawn. */
export class BrowserNotStarted extends Error {
  override readonly name = "BrowserNotStarted";
  /** Lines of its standard error. */
  readonly lastWords: string;

  constructor(message: string, lastWords: string, cause: unknown) {
    super(message, { cause });
    this.lastWords = lastWords;
  }
}

export interface StartedBrowser {
  readonly browser: Browser;
  readonly pid: number | undefined;
  /** Resolves with the exit code or signal, once the browser has ended and its files are removed. */
  readonly ended: Promise<string>;
  kill(): void;
  /** Ends the browser and removes its files. */
  close(): Promise<void>;
}

/**
 * Starts a browser without our environment. It is controlled over a pipe and ends when the pipe is closed, so it never
 * outlives this process.
 * @param folder for the files of the browser. No other user may write to it.
 * @param sandbox false: without the browser's own sandbox, which is needed for root and in most containers.
 * @throws BrowserNotStarted
 */
export async function startBrowser(found: FoundBrowser, folder: string, sandbox: boolean): Promise<StartedBrowser> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const profile = mkdtempSync(join(folder, "profile-"));
  const child = spawn(found.path, await argumentsFor(profile, sandbox), {
    env: { PATH: process.env.PATH ?? "", HOME: profile, TMPDIR: profile, TZ: "UTC", ...found.env },
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    // Signals to this process's group must not reach the browser.
    detached: true,
  });
  const kill = () => void child.kill("SIGKILL");
  const ended = endOf(child).finally(() => removeProfile(profile));
  const lastWords = keepLastWords(child);
  try {
    const dies = ended.then((end) => Promise.reject(new Error(end)));
    const timeout = () => new Error(`it does not answer within ${START_TIMEOUT_MS} ms`);
    const browser = await withTimeout(Promise.race([connect(child), dies]), START_TIMEOUT_MS, timeout);
    const close = async () => {
      await withTimeout(browser.close(), CLOSE_TIMEOUT_MS, () => new Error("it does not end")).catch(kill);
      await ended;
    };
    return { browser, pid: child.pid, ended, kill, close };
  } catch (error) {
    kill();
    const message = `the browser ${found.path} does not start: ${await ended}`;
    throw new BrowserNotStarted(message, await lastWords(), error);
  }
}

function removeProfile(profile: string): void {
  try {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch {
    // The next start of the service removes what remains.
  }
}

function argumentsFor(profile: string, sandbox: boolean): Promise<readonly string[]> {
  const args = [...ARGUMENTS, ...(sandbox ? [] : ["--no-sandbox"])];
  return puppeteer.defaultArgs({ headless: "shell", userDataDir: join(profile, "data"), args });
}

function connect({ stdio }: ChildProcess): Promise<Browser> {
  return puppeteer.connect({ transport: new BrowserPipe(stdio[3] as Writable, stdio[4] as Readable) });
}

async function endOf(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = await once(child, "exit");
    return signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Keeps reading, because a browser stands still if its output is not read. */
function keepLastWords({ stderr }: ChildProcess): () => Promise<string> {
  let words = "";
  stderr?.on("data", (said: Buffer) => {
    words = `${words}${said}`.slice(-MAX_LAST_WORDS);
  });
  return async () => {
    await pause(LAST_WORDS_MS);
    return words.trim();
  };
}
