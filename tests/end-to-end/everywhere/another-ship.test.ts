import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type {
  BookingBody,
  DisruptionBody,
  EventBody,
  FlightBody,
  FlightStatusBody,
} from "@travel-booking/api-contract";
import type { DisruptionAnswer, DisruptionEvidence, DisruptionPlan } from "@travel-booking/read-models";
import { until } from "../../support/until.ts";
import { type Client, expectStatus, type Page } from "../kit/client.ts";
import { asOperator, onceEnded } from "../kit/disruptions.ts";
import { typesOf } from "../kit/feed.ts";
import { expectRefused } from "../kit/problems.ts";
import { importCatalogue, openWorld, flightOf as planOf, type World } from "../kit/world.ts";

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

type Rows = readonly [number, number];
const cabinsOf = (rows: Rows) => planOf({ id: "any", departsIn: 1, rows }, 0).cabins;
const economyOf = (rows: Rows) => cabinsOf(rows).filter(({ cabin }) => cabin === "economy");

/** Sends another ship by its plan, and waits until everybody on board has followed. */
async function swap(flightId: string, cabins: object): Promise<[DisruptionPlan, DisruptionAnswer]> {
  const plan = await operator<DisruptionPlan>("POST", `/flights/${flightId}/swap`, { cabins });
  const body = { cabins, run: plan.revision, reason: "A smaller ship." };
  const { id } = await operator<DisruptionAnswer>("POST", `/flights/${flightId}/swap`, body);
  return [plan, await onceEnded(world, id)];
}

const ownCase = async (client: Client, flightId: string) =>
  expectStatus(200, await client.get<Page<DisruptionBody>>(`/v1/disruptions?flightId=${flightId}`)).data[0];

test("bookings sit on the other ship, and what they lose of what they paid for goes back", async () => {
  await world.addFlights({ id: "SHIP", departsIn: 40 });
  const { booking: moved, payment } = await alice.paidBooking("SHIP", { seats: ["14A"] });
  const kept = await bob.newBooking("SHIP", { seats: ["12B"] });
  const hold = expectStatus(201, await bob.hold("SHIP", ["14F"]));
  const [plan, ended] = await swap("SHIP", cabinsOf([10, 13]));
  expect([plan.significant, plan.reseated, plan.unplaced, plan.money]).toStrictEqual([
    1,
    1,
    0,
    [{ currency: "USD", method: "card", amount: 4_000 }],
  ]);
  expect([ended.kind, ended.bookings, ended.open, ended.unplaced]).toStrictEqual(["equipment_changed", 2, 1, 0]);
  expect((await bob.get<{ status: string }>(`/v1/flights/SHIP/seat-holds/${hold.id}`)).body.status).toBe("released");

  const now = await alice.booking(moved.id);
  expect(now.seats).toStrictEqual(["10A"]);
  expect((await bob.booking(kept.id)).seats).toStrictEqual(["12B"]);
  const own = await ownCase(alice, "SHIP");
  expect([own?.kind, own?.before.seats, own?.after?.seats, own?.actions, own?.refundAmount]).toStrictEqual([
    "equipment_changed",
    ["14A"],
    ["10A"],
    ["accept", "rebook", "refund"],
    4_000,
  ]);
  const named = "order=asc&type=flight.changed,disruption.opened,booking.changed";
  const told = expectStatus(200, await alice.get<Page<EventBody>>(`/v1/events?${named}`)).data;
  expect(typesOf(told)).toStrictEqual(["flight.changed", "disruption.opened", "booking.changed"]);
  const status = expectStatus(200, await alice.get<FlightStatusBody>("/v1/flights/SHIP/status"));
  expect([status.status, status.changes.map(({ kind, after }) => [kind, after?.cabins])]).toStrictEqual([
    "scheduled",
    [
      [
        "equipment_changed",
        [
          { cabin: "business", seats: 4 },
          { cabin: "economy", seats: 24 },
        ],
      ],
    ],
  ]);
  const left = async () => {
    const { fares } = expectStatus(200, await alice.get<FlightBody>("/v1/flights/SHIP"));
    return fares.map(({ cabin, seatsLeft }) => [cabin, seatsLeft]);
  };
  expect(await left()).toStrictEqual([
    ["economy", 22],
    ["business", 4],
  ]);

  const accepted = await alice.post<DisruptionBody>(`/v1/disruptions/${own?.id}/accept`, { revision: own?.revision });
  expect([expectStatus(200, accepted).outcome, accepted.body.refundAmount]).toStrictEqual(["accepted", 4_000]);
  await until(async () => {
    const { data } = expectStatus(200, await alice.get<Page<{ id: string; amountRefunded: number }>>("/v1/payments"));
    return data.find(({ id }) => id === payment.id)?.amountRefunded === 4_000;
  });
  const { differences } = await operator<{ differences: readonly string[] }>("GET", `/disruptions/${ended.id}/verify`);
  expect(differences).toStrictEqual([]);
  const evidence = await operator<readonly DisruptionEvidence[]>("GET", `/disruptions/${ended.id}/export`);
  const { offered, chosen, due } = evidence.find(({ bookingId }) => bookingId === moved.id) as DisruptionEvidence;
  expect([offered, chosen, due]).toStrictEqual(["10A", "accepted", 4_000]);

  expectStatus(200, await alice.patch<BookingBody>(`/v1/bookings/${moved.id}`, { seats: ["11C"] }));
  expect((await alice.booking(moved.id)).seats).toStrictEqual(["11C"]);
  const answer = await world.service.operator("POST", "/flights/SHIP/swap", { cabins: cabinsOf([10, 13]) });
  expect(answer.status).toBe(409);
});

test("an import of the present plan changes nothing, one of an older plan names what has changed it", async () => {
  await world.addFlights({ id: "PLAN", departsIn: 50 });
  const { departsAt } = expectStatus(200, await alice.get<FlightBody>("/v1/flights/PLAN"));
  const [, { id }] = await swap("PLAN", cabinsOf([10, 12]));
  const importPlan = (rows: Rows) => {
    const flight = { ...planOf({ id: "PLAN", departsIn: 50, rows }, 0), departsAt };
    return importCatalogue(world.service, { destinations: [], flights: [flight] });
  };
  await importPlan([10, 12]);
  await expect(importPlan([10, 19])).rejects.toThrow(id);
  const wrong = await world.service.operator("POST", "/flights/PLAN/swap", {
    cabins: [...economyOf([10, 12]), ...economyOf([10, 11])],
  });
  expect([wrong.status, JSON.stringify(wrong.body)]).toStrictEqual([
    400,
    expect.stringContaining("cabin economy is there twice"),
  ]);
});

test("who has no place sells nothing, gets no pass, and has all money back by the departure", async () => {
  await world.addFlights({ id: "FULL", departsIn: 60 });
  const { booking, payment } = await alice.paidBooking("FULL", { cabin: "business" });
  const { booking: lower, payment: dearer } = await bob.paidBooking("FULL", { cabin: "business" });
  const [plan, ended] = await swap("FULL", economyOf([10, 19]));
  expect([plan.unplaced, ended.unplaced, ended.open]).toStrictEqual([2, 2, 2]);
  const own = await ownCase(alice, "FULL");
  expect([own?.after?.cabin, own?.actions, own?.onSilence]).toStrictEqual([
    "economy",
    ["accept", "rebook", "refund"],
    null,
  ]);
  const { fares } = expectStatus(200, await alice.get<FlightBody>("/v1/flights/FULL"));
  expect(fares.map(({ cabin }) => cabin)).toStrictEqual(["economy"]);
  expectRefused(await alice.get(`/v1/bookings/${booking.id}/boarding-pass?format=json`), 409, "has no place");

  const other = await ownCase(bob, "FULL");
  const accepting = { revision: other?.revision };
  const accepted = await bob.post<DisruptionBody>(`/v1/disruptions/${other?.id}/accept`, accepting);
  const difference = dearer.amount - 129_900;
  expect([expectStatus(200, accepted).outcome, accepted.body.refundAmount]).toStrictEqual(["accepted", difference]);
  const again = await bob.post<DisruptionBody>(`/v1/disruptions/${other?.id}/accept`, accepting);
  expect(expectStatus(200, again)).toStrictEqual(accepted.body);
  expect((await bob.booking(lower.id)).cabin).toBe("economy");
  const wrong = { answer: "upgrade", cabin: "economy" };
  expect((await world.service.operator("POST", `/cases/${own?.id}/settle`, wrong)).status).toBe(409);

  await world.advance(60 * 24 * 3_600);
  await until(async () => (await alice.booking(booking.id)).status === "cancelled");
  const { data } = expectStatus(200, await alice.get<Page<{ id: string; amountRefunded: number }>>("/v1/payments"));
  expect(data.find(({ id }) => id === payment.id)?.amountRefunded).toBe(payment.amount);
});
