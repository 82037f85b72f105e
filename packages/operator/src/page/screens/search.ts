import { type Html, html } from "@travel-booking/http/html";
import type { FoundBooking } from "@travel-booking/read-models";
import { field } from "../forms.ts";
import { accountLink, namesOf } from "../names.ts";
import { id as idText, link, pathOf, sectionOf, status, table, time } from "../parts.ts";
import type { OperatorApi, Screen } from "../screen.ts";
import { flightLink } from "./flight.ts";

/** Finds bookings by their words. */
export const search: Screen = {
  path: "/search",
  title: "Search",
  async view({ api, query: { word = "" } }) {
    const ask = html`<form class="filters" method="get">${field("word", "word", html`required size="32"`, word)}<button>Find</button></form>
<p class="hint">A reference, a name, an e-mail address, a seat, a flight, the reference of a transfer, the id of a request, as a whole. All bookings are read.</p>`;
    if (word.trim() === "") return ask;
    return html`${ask}${await sectionOf("Bookings", () => found(api, word))}`;
  },
};

async function found(api: OperatorApi, word: string): Promise<Html> {
  const rows = await api.list<FoundBooking>(`/operator/bookings?word=${encodeURIComponent(word)}`);
  const names = await namesOf(
    api,
    rows.map(({ accountId }) => accountId),
  );
  return table(
    ["passengers", "status", "booking", "reference", "flight", "account", "made"],
    rows.map(({ id, status: state, passengers, reference, flightId, accountId, createdAt }) => [
      link(pathOf("bookings", id), passengers.join(", ")),
      status(state),
      idText(id),
      reference ?? "–",
      flightLink(flightId),
      accountLink(names, accountId),
      time(createdAt),
    ]),
    "No booking has this word.",
  );
}
