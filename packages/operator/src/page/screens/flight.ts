import { html } from "@travel-booking/http/html";
import type { FlightAnswer, FlightMoney, ManifestRow } from "@travel-booking/read-models";
import { money } from "../../money.ts";
import { amountField, choice, field, form, hidden } from "../forms.ts";
import { facts, figures, lead, link, pathOf, section, sectionOf, share, status, table, time, whole } from "../parts.ts";
import type { Action, Screen, Visit } from "../screen.ts";
import { seatMap } from "./seats.ts";

/** A flight by its name, with a link to its page. */
export function flightLink(flightId: string) {
  return link(pathOf("flights", flightId), flightId);
}

/** A flight, what is on it, and who. */
export const flightPages: readonly Screen[] = [
  {
    path: "/flights/:id",
    title: "Flight",
    async view(visit) {
      const { api, params } = visit;
      const path = pathOf("flights", params.id ?? "");
      const flight = await api.get<FlightAnswer>(`/operator${path}`);
      const paid = async () => {
        const { bookings, paid: sums } = await api.get<FlightMoney>(`/operator${path}/money`);
        return facts({ bookings, "paid, and not given back": sums.length === 0 ? "nothing" : amounts(sums) });
      };
      return html`${section("Flight", standing(flight), false)}
${section("Load", load(visit, flight), false)}
${await sectionOf("Money", paid, false)}
${section("Blocked by operators", blocks(visit, flight), false)}
${section(
  "Seats",
  flight.seatMap.map((cabin) => html`<h3>${cabin.cabin}</h3>${seatMap(cabin, [])}`),
  false,
)}`;
    },
  },
  {
    path: "/flights/:id/manifest",
    title: "Who is on board",
    async view({ api, params: { id = "" } }) {
      const rows = await Array.fromAsync(api.lines<ManifestRow>("GET", `/operator${pathOf("flights", id)}/manifest`));
      const list = table(
        ["place", "seat", "name", "cabin", "passport", "code", "booking"],
        rows.map(({ sequence, seat, name, cabin, passport, status: word, code, bookingId }) => [
          sequence ?? "–",
          seat ?? "not chosen",
          name,
          cabin,
          passport,
          code,
          html`${link(pathOf("bookings", bookingId), bookingId)} ${word === "confirmed" ? undefined : status(word)}`,
        ]),
        "Nobody is on board.",
      );
      return section("As they board", html`<p>${flightLink(id)}</p>${list}`, false);
    },
  },
];

const amounts = (sums: FlightMoney["paid"]) => sums.map(({ amount, currency }) => html`${money(amount, currency)}<br>`);

function standing({ id, from, destinationId, departsAt, durationDays, sale, load: cabins }: FlightAnswer) {
  const sum = (of: (cabin: FlightAnswer["load"][number]) => number) =>
    cabins.reduce((all, cabin) => all + of(cabin), 0);
  const [booked, left] = [sum((cabin) => cabin.booked), sum((cabin) => cabin.left)];
  const full = Math.round(
    (100 * booked) /
      Math.max(
        1,
        sum(({ seats, blocked }) => seats - blocked),
      ),
  );
  const decide = link(`/flights?flight=${encodeURIComponent(id)}`, "Cancel it, or open and close its sales");
  const events = link(`/streams?name=${encodeURIComponent(`flight-${id}`)}`, "raw events");
  return html`${lead(id, sale === "open" ? "on sale" : sale)}${figures([
    { value: `${full} %`, name: "booked" },
    { value: booked, name: "passengers" },
    { value: left, name: "seats left" },
  ])}${facts({
    way: `${from} → ${destinationId}, ${durationDays} days`,
    departs: time(departsAt),
  })}<p>${link(`${pathOf("flights", id)}/manifest`, "Who is on board")} · ${decide} · ${events}</p>`;
}

function load(visit: Visit, { id, load: cabins, fares, sale }: FlightAnswer) {
  const change = form(visit, `${pathOf("flights", id)}/fare`, "Change the fare", [
    choice(
      "cabin",
      "cabin",
      cabins.map(({ cabin }) => cabin),
    ),
    amountField("fare"),
  ]);
  const fareOf = (cabin: string) => {
    const fare = fares.find((each) => each.cabin === cabin);
    return whole(fare === undefined ? "–" : money(fare.amount, fare.currency));
  };
  return html`${table(
    ["cabin", "fare", "seats", "blocked", "booked", "held", "left", "load"],
    cabins.map(({ cabin, seats, blocked, booked, held, left }) => [
      cabin,
      fareOf(cabin),
      seats,
      blocked,
      booked,
      held,
      left,
      share(booked, seats - blocked),
    ]),
  )}${sale === "cancelled" ? undefined : change}`;
}

function blocks(visit: Visit, { id, blocked, sale }: FlightAnswer) {
  const path = pathOf("flights", id);
  const block = form(visit, `${path}/block`, "Block it", [
    field("seat", "seat", html`required size="5" placeholder="22A"`),
    field("what is wrong with it", "reason", html`maxlength="500"`),
  ]);
  return html`${table(
    ["seat", "why", "do"],
    blocked.map(({ seat, reason }) => [
      seat,
      reason ?? "–",
      form(visit, `${path}/unblock`, "Sell it again", [hidden("seat", seat)]),
    ]),
    "No seat.",
  )}${sale === "cancelled" ? undefined : block}`;
}

export const flightPageActions: readonly Action[] = [
  {
    path: "/flights/:id/block",
    async run({ api, params: { id = "" } }, { seat, reason }) {
      await api.post(`/operator/flights${pathOf(id)}/block`, { seat, ...(reason && { reason }) });
      return `${seat} is blocked.`;
    },
  },
  {
    path: "/flights/:id/unblock",
    async run({ api, params: { id = "" } }, { seat }) {
      await api.post(`/operator/flights${pathOf(id)}/unblock`, { seat });
      return `${seat} is for sale again.`;
    },
  },
  {
    path: "/flights/:id/fare",
    async run({ api, params: { id = "" } }, { cabin, sum }) {
      await api.post(`/operator/flights${pathOf(id)}/fare`, { cabin, sum });
      return `The fare of ${cabin} is ${sum}.`;
    },
  },
];
