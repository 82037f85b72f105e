import { randomUUID } from "node:crypto";

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

/** The id the client sent as `X-Request-Id`, where it is fit to be repeated in headers and logs; else a new one. */
export function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === "string" && WELL_FORMED.test(sent) ? sent : randomUUID();
}
