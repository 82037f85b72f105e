import { type Html, html } from "@travel-booking/http/html";
import { id, link, pathOf } from "./parts.ts";
import type { OperatorApi } from "./screen.ts";

/** The names of accounts and credentials, by their ids, of those that have one. */
export type Names = Readonly<Record<string, string>>;

/** Where names can't be had, ids stand for them. */
export async function namesOf(api: OperatorApi, ids: Iterable<string | null>): Promise<Names> {
  const asked = [...new Set(ids)].filter((each) => each !== null);
  if (asked.length === 0) return {};
  const answer = api.ask<{ readonly names: Names }>("/operator/names", { ids: asked.slice(0, MOST) });
  return answer.then(({ names }) => names).catch(() => ({}));
}

const MOST = 1_000;

/** An account by its name, with a link to its page. */
export function accountLink(names: Names, accountId: string): Html {
  return link(pathOf("accounts", accountId), names[accountId] ?? accountId);
}

/** Who did something: `key web shop`, `operator Ola`. */
export function actorOf(names: Names, { kind, id: actor }: { readonly kind: string; readonly id: string }): Html {
  if (kind === "system") return html`by itself`;
  if (kind !== "credential") return html`by ${kind} ${actor}`;
  const name = names[actor];
  return name === undefined ? html`by key ${id(actor)}` : html`by key “${name}”`;
}
