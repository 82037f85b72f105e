import { html } from "@travel-booking/http/html";
import type { FoundBooking } from "@travel-booking/read-models";
import { field } from "../forms.ts";
import { link, pathOf, sectionOf, status, table, time } from "../parts.ts";
import type { Screen } from "../screen.ts";
import { flightLink } from "./flight.ts";

/** Finds bookings by their words. */
export const search: Screen = {
  path: "/search",
  title: "Search",
  async view({ api, query: { word = "" } }) {
    const ask = html`<form class="filters" method="get">${field("word", "word", html`required size="32"`, word)}<button>Find</button></form>
<p class="hint">A reference, a name, an e-mail address, a seat, a flight, the reference of a transfer, the id of a request, as a whole. All bookings are read.</p>`;
    if (word.trim() === "") return ask;
    return html`${ask}${await sectionOf("Bookings", async () =>
      table(
        ["booking", "status", "passengers", "reference", "flight", "account", "made"],
        (await api.list<FoundBooking>(`/operator/bookings?word=${encodeURIComponent(word)}`)).map(
          ({ id, status: state, passengers, reference, flightId, accountId, createdAt }) => [
            link(pathOf("bookings", id), id),
            status(state),
            passengers.join(", "),
            reference ?? "–",
            flightLink(flightId),
            link(pathOf("accounts", accountId), accountId),
            time(createdAt),
          ],
        ),
        "No booking has this word.",
      ),
    )}`;
  },
};
