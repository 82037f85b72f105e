import { hash } from "node:crypto";
import type { ErrorCode, PageQuery } from "@travel-booking/api-contract";
import type { Body, PageItem, PageRequest, ReadModels } from "@travel-booking/engines/read-store";
import {
  type ApiRequest,
  type ApiResponse,
  type CursorScope,
  errorResponse,
  type PageEntry,
  pageResponse,
} from "@travel-booking/http";
import type { FoundJson, Part } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import type { ReadEntry } from "./only-wanted.ts";

/**
 * The account that asks.
 * @throws Error the operation needs no credential.
 */
export function accountOf({ caller }: Pick<ApiRequest, "caller">): string {
  if (caller === null) throw new Error("an operation without a scope has no account");
  return caller.accountId;
}

const NOT_FOUND = {
  booking: "booking_not_found",
  destination: "destination_not_found",
  disruption: "disruption_not_found",
  event: "event_not_found",
  flight: "flight_not_found",
  passenger: "profile_not_found",
  payment: "payment_not_found",
  "seat hold": "hold_not_found",
  "webhook endpoint": "endpoint_not_found",
} as const satisfies Readonly<Record<string, ErrorCode<404>>>;
type Resource = keyof typeof NOT_FOUND;

/** A stored body, sent as it is. @param what the resource, for the message of a 404. */
export function jsonOrNotFound(json: string | undefined, what: Resource): ApiResponse {
  return json === undefined ? notFound(what) : { status: 200, json };
}

/** What belongs to another account is answered like what does not exist. */
export function notFound(what: Resource): ApiResponse {
  return errorResponse(404, NOT_FOUND[what], `no ${what} with this id`);
}

/** One page of a list, as the client asked for it. @param read reads the entries of the list in this range. */
export function listPage(
  { cursors }: Pick<QueryDependencies, "cursors">,
  scope: CursorScope,
  { limit, cursor }: PageQuery,
  read: (range: Pick<PageRequest, "limit" | "after">) => Promise<readonly PageEntry[]>,
): Promise<ApiResponse> {
  return pageResponse({
    cursors,
    scope,
    limit,
    cursor,
    read: (most, after) => read({ limit: most, ...(after !== undefined && { after }) }),
  });
}

/** The entries of a part of a list, and whether the list goes on without one. */
export function entriesOf({ entries, next }: Part<PageEntry>): readonly PageEntry[] {
  return next === undefined ? entries : [...entries, { json: null, sort: next, more: true }];
}

/** What was found for these places of a list. */
export function entriesAt(
  places: readonly Pick<PageEntry, "sort">[],
  { json, more, size }: FoundJson,
): readonly ReadEntry[] {
  return places.slice(0, json.length).map(({ sort }, at) => {
    const isLast = at + 1 === json.length;
    return { sort, json: json[at] ?? null, size: isLast ? size : 0, ...(more && isLast && { more }) };
  });
}

/** Makes the public JSON of a document at `now` from the state of the read model; undefined if that is gone. */
export type RecomputeBody = (models: ReadModels, key: string, now: number) => Promise<string | undefined>;

type Dependencies = Pick<QueryDependencies, "models" | "clock">;

function isFresh({ staleAt }: Pick<Body, "staleAt">, now: number): boolean {
  return staleAt === null || now < staleAt;
}

/** A body as it is now: as stored, or recomputed if time has made the stored one stale. */
export function freshJson(
  { models, clock }: Dependencies,
  key: string,
  body: Body,
  recompute: RecomputeBody,
): string | Promise<string> {
  const now = clock.now();
  return isFresh(body, now) ? body.json : recompute(models, key, now).then((json) => json ?? body.json);
}

/** The same of a page: most have nothing stale. */
export function freshEntries<Item extends PageItem>(
  dependencies: Dependencies,
  items: readonly Item[],
  recompute: RecomputeBody,
): readonly Item[] | Promise<readonly Item[]> {
  const now = dependencies.clock.now();
  if (items.every((item) => isFresh(item, now))) return items;
  return Promise.all(
    items.map(async (item) => ({ ...item, json: await freshJson(dependencies, item.key, item, recompute) })),
  );
}

/** A strong entity tag: equal texts have equal tags (RFC 9110 §8.8.3). */
export function entityTag(text: string): string {
  return `"${hash("sha256", text, "base64url")}"`;
}

/** Whether `If-None-Match` names this tag; compared weakly (RFC 9110 §13.1.2). */
export function isNamed(tag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((named) => named.trim().replace(/^W\//, "") === tag);
}
