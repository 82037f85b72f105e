import { setTimeout as pause } from "node:timers/promises";
import type { Html } from "@travel-booking/http/html";
import { endWithTexts } from "@travel-booking/http/operator";
import type { Response } from "express";

/** Real time. */
const INTERVAL_MS = 2_000;
/** Then the stream ends. The browser connects again by itself, which checks the session. */
const LONGEST_MS = 15 * 60_000;
/** What stands beside it on a page whose version is the same may be as old. */
const OLDEST_MS = 60_000;

/** A page that is left open, as `Screen` has it. */
interface Followed {
  view(): Promise<Html>;
  /** Undefined: not known. */
  version(known: string | undefined): Promise<string | undefined>;
}

interface FollowOptions {
  /** Undefined: there is none. */
  readonly page: Followed | undefined;
  /** Called before each update, so that an operator who has signed out sees no more. */
  readonly mayGoOn: () => Promise<boolean>;
  readonly stopping: Promise<void>;
}

/** Sends a page as server-sent events, again each time it has changed. */
export async function follow(response: Response, { page, mayGoOn, stopping }: FollowOptions): Promise<void> {
  if (page === undefined) return void response.status(404).end();
  const ended = new AbortController();
  response.on("close", () => ended.abort());
  void stopping.then(() => ended.abort());
  response.set({ "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" }).flushHeaders();
  await endWithTexts(response, updates(page, mayGoOn, ended.signal));
}

async function* updates(page: Followed, mayGoOn: FollowOptions["mayGoOn"], ended: AbortSignal): AsyncGenerator<string> {
  let sent = "";
  let known: string | undefined;
  let renderedAt = 0;
  for (const from = performance.now(); performance.now() - from < LONGEST_MS && !ended.aborted; ) {
    if (!(await mayGoOn())) return;
    const version = await page.version(known);
    const isSame = version !== undefined && version === known && performance.now() - renderedAt < OLDEST_MS;
    const text = isSame ? sent : (await page.view()).text;
    if (!isSame) renderedAt = performance.now();
    known = version;
    yield text === sent ? ":\n\n" : `data: ${JSON.stringify(text)}\n\n`;
    sent = text;
    await pause(INTERVAL_MS, undefined, { signal: ended, ref: false }).catch(() => undefined);
  }
}
