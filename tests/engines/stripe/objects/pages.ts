import { invalidRequest, noSuch } from "../failure.ts";
import type { Metadata } from "./books.ts";
import type { Shape } from "./shape.ts";

interface Listed extends Shape {
  readonly id: string;
  readonly created: number;
}

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

function limitOf(params: Shape): number {
  const limit = Number(params.limit ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw invalidRequest("limit must be between 1 and 100", { param: "limit" });
  }
  return limit;
}

function isWithin(created: number, bounds: Readonly<Record<string, string>>): boolean {
  return Object.entries(bounds).every(([bound, value]) => {
    const at = Number(value);
    if (bound === "gte") return created >= at;
    if (bound === "gt") return created > at;
    return bound === "lte" ? created <= at : created < at;
  });
}

/** A page of a list, newest first, with the filters that Stripe has for it. */
export function page(objects: Iterable<Listed>, params: Shape, filters: readonly string[], url: string): Shape {
  const bounds = params.created as Readonly<Record<string, string>> | undefined;
  const listed = [...objects]
    .reverse()
    .filter((object) => bounds === undefined || isWithin(object.created, bounds))
    .filter((object) => filters.every((field) => params[field] === undefined || object[field] === params[field]));
  const after = params.starting_after as string | undefined;
  const start = after === undefined ? 0 : listed.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw noSuch("object", after, "starting_after");
  const end = start + limitOf(params);
  return { object: "list", url, data: listed.slice(start, end), has_more: listed.length > end };
}

/** `metadata["<field>"]:"<value>"`, the one query that is understood; the page is the place in the results. */
export function searchPage(
  objects: Iterable<Listed & { readonly metadata: Metadata }>,
  params: Shape,
  createdBefore: number,
  url: string,
): Shape {
  const [, field = "", value = ""] = /^metadata\[["']([^"']+)["']\]:["']([^"']*)["']$/.exec(String(params.query)) ?? [];
  if (field === "") throw invalidRequest("the query is not understood", { param: "query" });
  const found = [...objects].reverse().filter((object) => {
    return object.created <= createdBefore && object.metadata[field] === value;
  });
  const start = Number(params.page ?? 0);
  const end = start + limitOf(params);
  const hasMore = found.length > end;
  return {
    object: "search_result",
    url,
    data: found.slice(start, end),
    has_more: hasMore,
    next_page: hasMore ? String(end) : null,
  };
}
