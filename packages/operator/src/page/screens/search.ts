import { type Html, html } from "@travel-booking/http/html";
import type { Found, FoundRow } from "@travel-booking/read-models";
import { field } from "../forms.ts";
import { accountLink, namesOf } from "../names.ts";
import { id as idText, link, pathOf, sectionOf, status, table, time } from "../parts.ts";
import type { OperatorApi, Screen } from "../screen.ts";

/** Finds what has a word. */
export const search: Screen = {
  path: "/search",
  title: "Search",
  async view({ api, query: { word = "" } }) {
    const ask = html`<form class="filters" method="get">${field("word", "word", html`required size="32"`, word)}<button>Find</button></form>
<p class="hint">The beginning of a name, an e-mail address, a reference, a seat, a flight or a file; the reference of a transfer, or the id of a request, as a whole. All accounts, keys, saved passengers and bookings are read.</p>`;
    if (word.trim() === "") return ask;
    return html`${ask}${await sectionOf("Found", () => found(api, word), false)}`;
  },
};

const PLACES: Readonly<Record<FoundRow["kind"], (row: FoundRow) => string>> = {
  flight: ({ id }) => pathOf("flights", id),
  account: ({ id }) => pathOf("accounts", id),
  key: ({ accountId }) => pathOf("accounts", accountId ?? ""),
  passenger: ({ id }) => `/streams?name=${encodeURIComponent(`passenger-${id}`)}`,
  booking: ({ id }) => pathOf("bookings", id),
};

async function found(api: OperatorApi, word: string): Promise<Html> {
  const { data, isAll } = await api.get<Found<FoundRow>>(`/operator/search?word=${encodeURIComponent(word)}`);
  const names = await namesOf(
    api,
    data.map(({ accountId }) => accountId),
  );
  const more = isAll ? undefined : html`<p class="hint">Not everything was looked through: write more of the word.</p>`;
  const person = html`<p>${link(`/persons?email=${encodeURIComponent(word)}`, "What is held under this address")}</p>`;
  return html`${word.includes("@") ? person : undefined}${table(
    ["what", "name", "status", "about", "account", "made", "id"],
    data.map((row) => [
      row.kind,
      link(PLACES[row.kind](row), row.name ?? row.id),
      row.status === null ? "–" : status(row.status),
      row.about ?? "–",
      row.accountId === null ? "–" : accountLink(names, row.accountId),
      time(row.createdAt),
      idText(row.id),
    ]),
    "Nothing has a word that begins like this.",
  )}${more}`;
}
