import { setTimeout as pause } from "node:timers/promises";
import type { Html } from "@travel-booking/http/html";
import { endWithTexts } from "@travel-booking/http/operator";
import type { Response } from "express";

/** Real time. */
const INTERVAL_MS = 2_000;
/** Then the stream ends. The browser connects again by itself, which checks the session. */
const LONGEST_MS = 15 * 60_000;

interface FollowOptions {
  /** Renders the current page; undefined if there is no page. */
  readonly view: (() => Promise<Html>) | undefined;
  /** Called before each update, so that an operator who has signed out sees no more. */
  readonly mayGoOn: () => Promise<boolean>;
  readonly stopping: Promise<void>;
}

/** Sends a page as server-sent events, again each time it has changed. */
export async function follow(response: Response, { view, mayGoOn, stopping }: FollowOptions): Promise<void> {
  if (view === undefined) return void response.status(404).end();
  const ended = new AbortController();
  response.on("close", () => ended.abort());
  void stopping.then(() => ended.abort());
  response.set({ "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" }).flushHeaders();
  await endWithTexts(response, updates(view, mayGoOn, ended.signal));
}

async function* updates(
  view: () => Promise<Html>,
  mayGoOn: FollowOptions["mayGoOn"],
  ended: AbortSignal,
): AsyncGenerator<string> {
  let sent = "";
  for (const from = performance.now(); performance.now() - from < LONGEST_MS && !ended.aborted; ) {
    if (!(await mayGoOn())) return;
    const { text } = await view();
    yield text === sent ? ":\n\n" : `data: ${JSON.stringify(text)}\n\n`;
    sent = text;
    await pause(INTERVAL_MS, undefined, { signal: ended, ref: false }).catch(() => undefined);
  }
}
