import { SCOPES } from "@travel-booking/domain";
import { type Html, html } from "@travel-booking/http/html";
import type { AccountRow, UsedCredentialRow } from "@travel-booking/read-models";
import { choice, danger, field, form, hidden } from "../forms.ts";
import { facts, id as idText, lead, link, pathOf, section, share, status, table, time } from "../parts.ts";
import type { Action, Screen, Visit } from "../screen.ts";
import { personForm } from "./persons.ts";

export const accountScreens: readonly Screen[] = [
  {
    path: "/accounts",
    title: "Accounts",
    async view(visit) {
      const rows = await visit.api.list<AccountRow>("/operator/accounts");
      return html`${section("All accounts", list(rows))}${section("A person of any account", personForm(), false)}${section("A new account", form(visit, "/accounts", "Create it", [field("name", "name", html`required maxlength="200"`)]), false)}`;
    },
  },
  {
    path: "/accounts/:id",
    title: "Account",
    async view(visit) {
      const { api, params } = visit;
      const account = await api.get<AccountAnswer>(`/operator/accounts${pathOf(params.id ?? "")}`);
      const credentials = await api.list<UsedCredentialRow>("/operator/credentials");
      return html`${section("Account", standing(visit, account))}${section("Quotas", quotas(account))}${section("Credentials", ofAccount(visit, credentials, account.id))}
${section("A new credential", newCredential(visit, account.id), false)}`;
    },
  },
];

function list(rows: readonly AccountRow[]): Html {
  return table(
    ["name", "status", "id"],
    rows.map(({ id, name, status: word }) => [link(pathOf("accounts", id), name), status(word), idText(id)]),
  );
}

function standing(visit: Visit, { id, name, status: word }: AccountRow): Html {
  const path = pathOf("accounts", id);
  const change =
    word === "active"
      ? danger(visit, `${path}/suspend`, "Suspend", {
          name,
          what: "All its requests are refused, and it is sent no webhooks, until it is served again.",
        })
      : form(visit, `${path}/resume`, "Serve it again");
  const forget = danger(visit, `${path}/erase`, "Forget it", {
    name,
    what: "The account ends, and nobody can read any longer who its people were: bookings, saved passengers, documents.",
  });
  const events = link(`/streams?name=${encodeURIComponent(`account-${id}`)}`, `account-${id}`);
  return html`${lead(name, word)}${facts({ id: idText(id), stream: events })}<div class="actions">${change}${forget}</div>`;
}

interface AccountAnswer extends AccountRow {
  readonly quotas: readonly { readonly quota: string; readonly used: number; readonly most: number | null }[];
}

function quotas({ quotas: uses }: AccountAnswer): Html {
  return table(
    ["of", "used", "at most", "share"],
    uses.map(({ quota, used, most }) => [
      quota.replaceAll("_", " "),
      used.toLocaleString("en"),
      most === null ? "no bound" : most.toLocaleString("en"),
      most === null ? "–" : share(used, most),
    ]),
  );
}

function ofAccount(visit: Visit, rows: readonly UsedCredentialRow[], accountId: string): Html {
  const own = rows.filter((row) => row.accountId === accountId);
  return table(
    ["name", "kind", "begins with", "id", "scopes", "status", "created", "last used", "do"],
    own.map(({ id, kind, name, clientId, prefix, scopes, status: word, createdAt, lastUsedAt }) => [
      name ?? "–",
      kind,
      prefix ?? clientId ?? "–",
      idText(id),
      scopes.length === SCOPES.length ? "all" : scopes.join(" "),
      status(word),
      time(createdAt),
      time(lastUsedAt),
      word === "active"
        ? danger(visit, `${pathOf("credentials", id)}/revoke`, "Revoke", {
            name: name !== null && own.filter((row) => row.name === name).length === 1 ? name : id,
            what: "Requests with it are refused from now on, for good.",
          })
        : "–",
    ]),
  );
}

function newCredential(visit: Visit, accountId: string): Html {
  return form(visit, "/credentials", "Create it", [
    hidden("accountId", accountId),
    choice("kind", "kind", ["api-key", "oauth-client"]),
    field("name", "name", html`maxlength="200"`),
    field("scopes, with blanks; all without", "scopes", html`size="40" placeholder="flights:read bookings:read"`),
  ]);
}

/** A secret, and the way back. */
export function shownOnce(made: Readonly<Record<string, string>>, url: string): Html {
  return html`<p>Copy it now: it is shown on this page alone.</p>${facts(made)}<p>${link(url, "Back")}</p>`;
}

export const accountActions: readonly Action[] = [
  {
    path: "/accounts",
    async run({ api }, { name }) {
      const { id } = await api.post<{ id: string }>("/operator/accounts", { name });
      return `The account ${id} is open.`;
    },
  },
  ...(["suspend", "resume"] as const).map((verb) => ({
    path: `/accounts/:id/${verb}`,
    isDangerous: verb === "suspend",
    async run({ api, params: { id = "" } }: Visit) {
      await api.post(`/operator/accounts${pathOf(id)}/${verb}`);
      return verb === "suspend" ? "The account is suspended." : "The account is served again.";
    },
  })),
  {
    path: "/accounts/:id/erase",
    isDangerous: true,
    async run({ api, params: { id = "" } }) {
      await api.post(`/operator/accounts${pathOf(id)}/erase`);
      return "The account is forgotten.";
    },
  },
  {
    path: "/credentials",
    async run({ api, url }, { accountId, kind, name, scopes = "" }) {
      const words = scopes.split(/\s+/).filter((word) => word !== "");
      const made = await api.post<Readonly<Record<string, string>>>("/operator/credentials", {
        accountId,
        kind,
        ...(name && { name }),
        ...(words.length > 0 && { scopes: words }),
      });
      const title = kind === "api-key" ? "A new API key" : "A new OAuth client";
      return { title, content: shownOnce(made, url) };
    },
  },
  {
    path: "/credentials/:id/revoke",
    isDangerous: true,
    async run({ api, params: { id = "" } }) {
      await api.delete(`/operator/credentials${pathOf(id)}`);
      return "The credential is revoked.";
    },
  },
];
