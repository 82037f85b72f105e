import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type {
  BoardingPassesBody,
  CancellationQuoteBody,
  DisruptionBody,
  EventBody,
  FlightBody,
  FlightStatusBody,
} from "@travel-booking/api-contract";
import { DAY } from "@travel-booking/domain";
import type { DisruptionAnswer, DisruptionEvidence, DisruptionPlan } from "@travel-booking/read-models";
import { until } from "../../support/until.ts";
import { type Client, expectStatus, type Page } from "../kit/client.ts";
import { asOperator, onceEnded } from "../kit/disruptions.ts";
import { typesOf } from "../kit/feed.ts";
import { documentsOf, upload } from "../kit/upload.ts";
import { importCatalogue, openWorld, flightOf as planOf, type World } from "../kit/world.ts";

const HOUR = 3_600_000;

let world: World;
let alice: Client;
let bob: Client;
beforeAll(async () => {
  world = await openWorld();
  ({ alice, bob } = world);
});
afterAll(() => world.discard());

const operator = <Body>(method: "GET" | "POST", path: string, body?: object) =>
  asOperator<Body>(world, method, path, body);

const later = (moment: string, hours: number) => new Date(Date.parse(moment) + hours * HOUR).toISOString();
const flightOf = async (id: string) => expectStatus(200, await alice.get<FlightBody>(`/v1/flights/${id}`));

/** Retimes a flight by its plan, and waits until everybody on it has followed. */
async function retime(flightId: string, departsAt: string, more: object = {}): Promise<DisruptionAnswer> {
  const times = { departsAt, ...more };
  const { revision } = await operator<DisruptionPlan>("POST", `/flights/${flightId}/retime`, times);
  const body = { ...times, run: revision, reason: "A storm." };
  const { id } = await operator<DisruptionAnswer>("POST", `/flights/${flightId}/retime`, body);
  return onceEnded(world, id);
}

test("a flight that departs at another time is listed, sold and shown so, and says what it was", async () => {
  await world.addFlights({ id: "SLOW", departsIn: 20 }, { id: "NEXT", departsIn: 21 });
  const { departsAt } = await flightOf("SLOW");
  const after = later(departsAt, 30);
  await retime("SLOW", after, { durationDays: 481 });

  const answer = await alice.get<FlightBody>("/v1/flights/SLOW");
  expect([answer.headers.get("flight-status"), answer.body.departsAt, answer.body.durationDays]).toStrictEqual([
    "retimed",
    after,
    481,
  ]);
  for (const path of ["/v1/flights?limit=100", "/v1/flights?destinationId=kepler-442b&limit=100"]) {
    const { data } = expectStatus(200, await alice.get<Page<FlightBody>>(path));
    expect(data.map(({ id }) => id)).toStrictEqual(["NEXT", "SLOW"]);
    expect(data[1]).toStrictEqual(answer.body);
  }
  const day = `date=${after.slice(0, 10)}`;
  const found = expectStatus(200, await alice.get<FlightBody[]>(`/v1/flights/search?${day}`));
  expect(found.map(({ id }) => id)).toStrictEqual(["NEXT", "SLOW"]);
  expect(found[1]).toStrictEqual(answer.body);
  const status = expectStatus(200, await alice.get<FlightStatusBody>("/v1/flights/SLOW/status"));
  expect(status).toStrictEqual({
    flightId: "SLOW",
    status: "retimed",
    departsAt: after,
    originalDepartsAt: departsAt,
    revision: 1,
    changes: [
      {
        kind: "retimed",
        revision: 1,
        at: status.changes[0]?.at,
        reason: "A storm.",
        before: { departsAt, durationDays: 480 },
        after: { departsAt: after, durationDays: 481 },
      },
    ],
  });
  // A hold makes what is stored of the flight stale with time.
  expectStatus(201, await bob.hold("SLOW", ["12A"]));
  expect((await bob.get("/v1/flights/SLOW")).headers.get("flight-status")).toBe("retimed");
  await world.advance(16 * 60);
  expect((await bob.get("/v1/flights/SLOW")).headers.get("flight-status")).toBe("retimed");
  const { data } = expectStatus(200, await alice.get<Page<FlightBody>>("/v1/flights?limit=100"));
  expect(data.map(({ id }) => id)).toStrictEqual(["NEXT", "SLOW"]);
  for (const refused of [{ departsAt: after, durationDays: 481 }, { departsAt: "soon" }, {}]) {
    const { status } = await world.service.operator("POST", "/flights/SLOW/retime", refused);
    expect(status).toBe("durationDays" in refused ? 409 : 400);
  }
});

test("its bookings are told, in order, and depart then; a significant change gives the money back", async () => {
  await world.addFlights({ id: "LATE", departsIn: 30 });
  const { departsAt } = await flightOf("LATE");
  const { booking, payment } = await alice.paidBooking("LATE", { seats: ["12A"] });
  const pending = await bob.newBooking("LATE");
  expectStatus(201, await upload(alice, booking.id, { content: "%PDF-1.7 of nothing" }));
  const [document] = await documentsOf(alice, booking.id);
  await operator("POST", `/documents/${document?.id}/verify`, {});
  const after = later(departsAt, 3);
  const plan = await operator<DisruptionPlan>("POST", "/flights/LATE/retime", { departsAt: after });
  expect(plan).toStrictEqual({
    flightId: "LATE",
    revision: 0,
    bookings: [
      { status: "confirmed", cabin: "economy", bookings: 1, passengers: 1 },
      { status: "pending", cabin: "economy", bookings: 1, passengers: 1 },
    ],
    significant: 2,
    places: [],
    placeless: [],
    passports: 0,
    money: [],
    webhooks: 0,
  });
  const ended = await retime("LATE", after);
  expect(ended).toMatchObject({ kind: "retimed", policy: null, bookings: 2, open: 1, stuck: [] });
  const documentsByOperator = (rows: readonly { readonly bookingId: string; readonly documentsByOperator: number }[]) =>
    rows.map((row) => [row.bookingId === booking.id, row.documentsByOperator]).toSorted();
  const counted = [
    [false, 0],
    [true, 1],
  ];
  expect(documentsByOperator(ended.cases)).toStrictEqual(counted);
  const [own] = expectStatus(200, await alice.get<Page<DisruptionBody>>("/v1/disruptions?flightId=LATE")).data;
  expect([own?.kind, own?.significant, own?.status, own?.outcome]).toStrictEqual(["retimed", true, "open", null]);
  expect([own?.before.departsAt, own?.after?.departsAt]).toStrictEqual([departsAt, after]);
  const named = "order=asc&type=flight.changed,disruption.opened,disruption.resolved,booking.changed";
  const toldTo = async (client: Client) =>
    typesOf(expectStatus(200, await client.get<Page<EventBody>>(`/v1/events?${named}`)).data).slice(-3);
  expect(await toldTo(alice)).toStrictEqual(["booking.changed", "flight.changed", "disruption.opened"]);
  expect(await toldTo(bob)).toStrictEqual(["flight.changed", "disruption.opened", "disruption.resolved"]);
  const found = async (client: Client, query: string) =>
    expectStatus(200, await client.get<Page<{ id: string }>>(`/v1/bookings?${query}`)).data.map(({ id }) => id);
  expect(await found(bob, `departsAfter=${after}`)).toStrictEqual([pending.id]);
  expect(await found(bob, `departsBefore=${after}`)).toStrictEqual([]);

  const quote = await alice.get<CancellationQuoteBody>(`/v1/bookings/${booking.id}/cancellation-quote`);
  expect(expectStatus(200, quote)).toMatchObject({
    refundAmount: payment.amount,
    until: new Date(Date.parse(after) - DAY).toISOString(),
  });
  expect([own?.actions, own?.onSilence]).toStrictEqual([["accept", "rebook", "refund"], "accept"]);
  const accept = () => alice.post<DisruptionBody>(`/v1/disruptions/${own?.id}/accept`, { revision: own?.revision });
  const accepted = expectStatus(200, await accept());
  expect([accepted.status, accepted.outcome, accepted.refundAmount]).toStrictEqual(["resolved", "accepted", 0]);
  expect(expectStatus(200, await accept())).toStrictEqual(accepted);
  const { differences } = await operator<{ differences: readonly string[] }>("GET", `/disruptions/${ended.id}/verify`);
  expect(differences).toStrictEqual([]);
  const evidence = await operator<readonly DisruptionEvidence[]>("GET", `/disruptions/${ended.id}/export`);
  expect(documentsByOperator(evidence)).toStrictEqual(counted);
  expect(evidence.find(({ bookingId }) => bookingId === booking.id)).toMatchObject({
    status: "confirmed",
    offered: after,
    chosen: "accepted",
    due: 0,
  });
});

test("what happens at a time follows the departure: seats, points, and the end of an unpaid booking", async () => {
  await world.addFlights({ id: "SOON", departsIn: 3 });
  const { departsAt } = await flightOf("SOON");
  const { booking } = await alice.paidBooking("SOON");
  await retime("SOON", later(departsAt, 48));
  await world.advance(2.5 * 24 * 3_600);
  expect((await alice.booking(booking.id)).seats).toStrictEqual([]);
  const unpaid = await bob.newBooking("SOON");
  const earlier = later(departsAt, 10);
  await retime("SOON", earlier);
  await until(async () => (await alice.booking(booking.id)).seats.length === 1);
  const { expiresAt } = expectStatus(200, await bob.get<{ expiresAt: string }>(`/v1/bookings/${unpaid.id}/summary`));
  expect(expiresAt).toBe(later(earlier, -2));
  await world.advance(23 * 3_600);
  await until(async () => (await bob.booking(unpaid.id)).status === "cancelled");
  const account = () => alice.get<{ pointsBalance: number }>("/v1/loyalty/account");
  await until(async () => expectStatus(200, await account()).pointsBalance > 0);
});

test("boarding passes are those of the new departure, and a pass of before is known by its revision", async () => {
  await world.addFlights({ id: "PASS", departsIn: 60 });
  const { departsAt } = await flightOf("PASS");
  const { booking } = await alice.paidBooking("PASS", { seats: ["12A"] });
  const pass = async () => {
    const path = `/v1/bookings/${booking.id}/boarding-pass?format=json`;
    const { headers, body } = await alice.get<BoardingPassesBody>(path);
    return [headers.get("boarding-pass-revision"), body.passes[0]?.departsAt, body.passes[0]?.seat];
  };
  expect(await pass()).toStrictEqual(["1", departsAt, "12A"]);
  await retime("PASS", later(departsAt, 1));
  expect(await pass()).toStrictEqual(["2", later(departsAt, 1), "12A"]);
  expectStatus(200, await alice.patch(`/v1/bookings/${booking.id}`, { seats: ["12F"] }));
  expect(await pass()).toStrictEqual(["3", later(departsAt, 1), "12F"]);
});

test("an import of its present plan changes nothing, one of an older plan is refused and names what has changed it", async () => {
  await world.addFlights({ id: "PLAN", departsIn: 50 });
  const { departsAt } = await flightOf("PLAN");
  const { id } = await retime("PLAN", later(departsAt, 24));
  const plan = (time: string) => ({ ...planOf({ id: "PLAN", departsIn: 50 }, 0), departsAt: time });
  const importPlan = (time: string) => importCatalogue(world.service, { destinations: [], flights: [plan(time)] });
  await importPlan(later(departsAt, 24));
  await expect(importPlan(departsAt)).rejects.toThrow(id);
});
