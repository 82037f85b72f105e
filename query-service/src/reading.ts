import { hash } from "node:crypto";
import type { Body, PageItem, ReadModels } from "@travel-booking/engines/read-store";
import { type ApiRequest, type ApiResponse, errorResponse, type PageEntry } from "@travel-booking/http";
import type { QueryDependencies } from "./dependencies.ts";

/**
 * The account that asks.
 * @throws Error the operation needs no credential, so it can't show what belongs to an account.
 */
export function accountOf({ caller }: Pick<ApiRequest, "caller">): string {
  if (caller === null) throw new Error("an operation without a scope has no account");
  return caller.accountId;
}

/** A stored body, sent as it is; 404 where there is none. */
export function jsonOrNotFound(json: Uint8Array | undefined, what: string): ApiResponse {
  return json === undefined ? notFound(what) : { status: 200, json };
}

/** `what`: a booking, a flight, … Another account's answers the same as none at all. */
export function notFound(what: string): ApiResponse {
  return errorResponse(404, `no ${what} with this id`);
}

/**
 * The public JSON of a document as it stands at `now`, made from what the projection folds on; undefined where that
 * is gone.
 */
type RecomputeBody = (models: ReadModels, key: string, now: number) => Promise<string | undefined>;

type Dependencies = Pick<QueryDependencies, "models" | "clock">;

async function freshJson(
  { models, clock }: Dependencies,
  key: string,
  body: Body,
  remake: RecomputeBody,
): Promise<Uint8Array> {
  const now = clock.now();
  if (body.staleAt === null || now < body.staleAt) return body.json;
  const json = await remake(models, key, now);
  return json === undefined ? body.json : Buffer.from(json);
}

/** One body, true at this moment: as it is stored, unless time has moved on from it. Undefined: there is none. */
export async function freshBody(
  dependencies: Dependencies,
  model: string,
  key: string,
  remake: RecomputeBody,
): Promise<Uint8Array | undefined> {
  const body = await dependencies.models.body(model, key);
  return body === undefined ? undefined : freshJson(dependencies, key, body, remake);
}

/** The same for one page of a list. */
export function freshEntries(
  dependencies: Dependencies,
  items: readonly PageItem[],
  remake: RecomputeBody,
): Promise<readonly PageEntry[]> {
  return Promise.all(
    items.map(async (item) => ({ sort: item.sort, json: await freshJson(dependencies, item.key, item, remake) })),
  );
}

interface ClientDisconnect {
  /** Aborts when the connection is closed before the answer. */
  readonly signal: AbortSignal;
  /** Nobody looks any more. */
  end(): void;
}

/** Whether the client of a request that takes long is still there. */
export function watchClientDisconnect({ raw: { response } }: Pick<ApiRequest, "raw">): ClientDisconnect {
  const gone = new AbortController();
  const closed = () => gone.abort();
  if (response.closed) closed();
  else response.once("close", closed);
  return { signal: gone.signal, end: () => void response.off("close", closed) };
}

/** A strong entity tag: the same text, the same tag (RFC 9110 §8.8.3). */
export function entityTag(text: string): string {
  return `"${hash("sha256", text, "base64url")}"`;
}

/** Whether `If-None-Match` names this tag; compared weakly (RFC 9110 §13.1.2). */
export function isNamed(tag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((named) => named.trim().replace(/^W\//, "") === tag);
}
