import { setTimeout as pause } from "node:timers/promises";
import type { Html } from "@travel-booking/http/html";
import type { Request, Response } from "express";

/** Real time. */
const INTERVAL_MS = 2_000;
/** The session is asked for again then: the browser connects anew by itself. */
const LONGEST_MS = 15 * 60_000;

interface FollowOptions {
  readonly find: (path: string, response: Response) => (() => Promise<Html>) | undefined;
  readonly stopping: Promise<void>;
}

/** Sends a page as server-sent events, again when it has changed. */
export async function follow(request: Request, response: Response, { find, stopping }: FollowOptions): Promise<void> {
  const view = find(String(request.query.of ?? ""), response);
  if (view === undefined) return void response.status(404).end();
  const ended = new AbortController();
  response.on("close", () => ended.abort());
  void stopping.then(() => ended.abort());
  response.set({ "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" }).flushHeaders();
  let sent = "";
  for (const from = performance.now(); performance.now() - from < LONGEST_MS && !ended.signal.aborted; ) {
    const { text } = await view();
    response.write(text === sent ? ":\n\n" : `data: ${JSON.stringify(text)}\n\n`);
    sent = text;
    await pause(INTERVAL_MS, undefined, { signal: ended.signal, ref: false }).catch(() => undefined);
  }
  response.end();
}
