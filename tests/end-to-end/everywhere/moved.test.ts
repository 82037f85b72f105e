import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type {
  BoardingPassesBody,
  BookingBody,
  DisruptionBody,
  EventBody,
  FlightBody,
} from "@travel-booking/api-contract";
import type {
  DisruptionAnswer,
  DisruptionEvidence,
  DisruptionPlan,
  DisruptionProof,
} from "@travel-booking/read-models";
import { ADA, type Client, expectStatus, type Page } from "../kit/client.ts";
import { asOperator, onceEnded } from "../kit/disruptions.ts";
import { typesOf } from "../kit/feed.ts";
import { expectRefused } from "../kit/problems.ts";
import { openWorld, type World } from "../kit/world.ts";

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

const partyOf = (size: number) => Array.from({ length: size }, () => ADA);

/** Cancels a flight, and waits until everybody on it has followed and all of that is shown. */
async function cancelFlight(flightId: string, asked: object): Promise<DisruptionAnswer> {
  const { id } = await operator<DisruptionAnswer>("POST", `/flights/${flightId}/cancel`, { ...asked, run: 0 });
  await onceEnded(world, id);
  await expectProved(id);
  return operator<DisruptionAnswer>("GET", `/disruptions/${id}`);
}

async function onlyCase(client: Client, flightId: string): Promise<DisruptionBody> {
  const [own] = expectStatus(200, await client.get<Page<DisruptionBody>>(`/v1/disruptions?flightId=${flightId}`)).data;
  if (own === undefined) throw new Error(`no booking on ${flightId} has a case`);
  return own;
}

async function expectProved(id: string): Promise<void> {
  expect((await operator<DisruptionProof>("GET", `/disruptions/${id}/verify`)).differences).toStrictEqual([]);
}

test("the paid bookings of a cancelled flight move: as it was planned, told in order, and found where they are", async () => {
  await world.addFlights({ id: "GONE", departsIn: 40, rows: [12, 20] }, { id: "NEXT", departsIn: 41, rows: [12, 12] });
  const { booking } = await alice.paidBooking("GONE", { seats: ["12A"] });
  await alice.newBooking("NEXT", { seats: ["12B"] });
  const full = await bob.paidBooking("GONE", { passengers: partyOf(9) });
  const asked = { policy: "move", into: ["NEXT"] };

  const plan = await operator<DisruptionPlan>("POST", "/flights/GONE/cancel", asked);
  expect([plan.places, plan.placeless]).toStrictEqual([
    [{ flightId: "NEXT", cabin: "economy", bookings: 1, passengers: 1 }],
    [full.booking.id],
  ]);
  expect(plan.money).toStrictEqual([{ currency: "USD", method: "card", amount: full.payment.amount }]);
  const ended = await cancelFlight("GONE", asked);
  expect([ended.followed, ended.open, ended.cases.map(({ after }) => after)]).toStrictEqual([2, 1, ["NEXT", null]]);

  const moved = await alice.booking(booking.id);
  expect([moved.flightId, moved.seats, moved.status, moved.totalAmount]).toStrictEqual([
    "NEXT",
    ["12A"],
    "confirmed",
    booking.totalAmount,
  ]);
  const found = await alice.get<Page<BookingBody>>("/v1/bookings?flightId=NEXT&status=confirmed");
  expect(expectStatus(200, found).data.map(({ id }) => id)).toStrictEqual([booking.id]);
  const named = "order=asc&type=disruption.opened,disruption.revised,disruption.resolved,booking.changed";
  const { data } = expectStatus(200, await alice.get<Page<EventBody>>(`/v1/events?${named}`));
  expect(typesOf(data)).toStrictEqual(["disruption.opened", "disruption.revised", "booking.changed"]);
  expect(data.at(-1)?.data.previousAttributes).toStrictEqual({ flightId: "GONE" });
  const pass = await alice.get<BoardingPassesBody>(`/v1/bookings/${booking.id}/boarding-pass?format=json`);
  expect([pass.headers.get("boarding-pass-revision"), pass.body.passes[0]?.seat]).toStrictEqual(["3", "12A"]);
  expect((await bob.booking(full.booking.id)).status).toBe("cancelled");

  const own = await onlyCase(alice, "GONE");
  expect([own.after?.flightId, own.actions, own.onSilence, own.revision]).toStrictEqual([
    "NEXT",
    ["accept", "rebook", "refund"],
    "accept",
    2,
  ]);
  const accepted = await alice.post<DisruptionBody>(`/v1/disruptions/${own.id}/accept`, { revision: 2 });
  expect(expectStatus(200, accepted).outcome).toBe("accepted");
  await expectProved(ended.id);
  const evidence = await operator<readonly DisruptionEvidence[]>("GET", `/disruptions/${ended.id}/export`);
  expect(evidence.map(({ offered, chosen }) => [offered, chosen]).sort()).toStrictEqual([
    ["move", "accepted"],
    ["move", "refunded"],
  ]);
});

test("a client moves to one of the alternatives: the nearest first, with room, within fourteen days", async () => {
  await world.addFlights(
    { id: "OFF", departsIn: 100 },
    { id: "WEEK", departsIn: 107 },
    { id: "DAY", departsIn: 99 },
    { id: "TIGHT", departsIn: 101, rows: [12, 12] },
    { id: "FAR", departsIn: 115 },
  );
  const { booking } = await bob.paidBooking("OFF", { passengers: partyOf(7) });
  const { id } = await cancelFlight("OFF", { policy: "offer" });
  const own = await onlyCase(bob, "OFF");
  const path = `/v1/disruptions/${own.id}`;
  const first = expectStatus(200, await bob.get<Page<FlightBody>>(`${path}/alternatives?limit=1`));
  expect(first.data.map((flight) => flight.id)).toStrictEqual(["DAY"]);
  const next = await bob.get<Page<FlightBody>>(`${path}/alternatives?cursor=${first.page.nextCursor}`);
  expect(expectStatus(200, next).data.map((flight) => flight.id)).toStrictEqual(["WEEK"]);
  const rebook = (flightId: string) => bob.post<DisruptionBody>(`${path}/rebook`, { revision: 1, flightId });
  expectRefused(await rebook("FAR"), 422, "14 days");
  expectRefused(await rebook("TIGHT"), 409, "not enough seats");
  const rebooked = expectStatus(200, await rebook("DAY"));
  expect([rebooked.outcome, rebooked.after?.flightId, rebooked.refundAmount]).toStrictEqual(["rebooked", "DAY", 0]);
  expect(expectStatus(200, await rebook("DAY"))).toStrictEqual(rebooked);
  expectRefused(await rebook("WEEK"), 409, "answered otherwise");
  expect((await bob.booking(booking.id)).flightId).toBe("DAY");
  expect(expectStatus(200, await bob.get<Page<FlightBody>>(`${path}/alternatives`)).data).toStrictEqual([]);
  expectRefused(await alice.get(`${path}/alternatives`), 404, "no disruption with this id");
  await expectProved(id);
});

test("an operator answers for a client, by the client's rules", async () => {
  await world.addFlights({ id: "STOP", departsIn: 70 }, { id: "GO", departsIn: 71 });
  const { booking } = await alice.paidBooking("STOP");
  await cancelFlight("STOP", { policy: "offer", into: ["GO"] });
  const own = await onlyCase(alice, "STOP");
  expect([own.after?.flightId, own.onSilence, own.actions]).toStrictEqual([
    "GO",
    "refund",
    ["accept", "rebook", "refund"],
  ]);
  const settle = (body: object) => world.service.operator("POST", `/cases/${own.id}/settle`, body);
  expect((await settle({ answer: "rebook", flightId: "STOP" })).status).toBe(422);
  expect((await settle({ answer: "rebook" })).status).toBe(400);
  const settled = await settle({ answer: "accept", reason: "by telephone" });
  expect([settled.status, (settled.body as DisruptionBody).outcome]).toStrictEqual([200, "accepted"]);
  expect((await alice.booking(booking.id)).flightId).toBe("GO");
});

test("a flight can't be cancelled in favour of one that goes elsewhere, or that there is not", async () => {
  await world.addFlights({ id: "HERE", departsIn: 80 });
  const ask = async (body: object) => (await world.service.operator("POST", "/flights/HERE/cancel", body)).status;
  expect(await ask({ policy: "move" })).toBe(400);
  expect(await ask({ policy: "refund", into: ["GO"] })).toBe(400);
  expect(await ask({ policy: "move", into: ["HERE"] })).toBe(409);
  expect(await ask({ policy: "move", into: ["NONE"] })).toBe(404);
});
