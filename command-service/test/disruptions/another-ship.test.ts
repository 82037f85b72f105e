import { expect, test } from "@jest/globals";
import {
  type CabinPlan,
  caseIdOf,
  type FlightEvent,
  flightDecider,
  fold,
  HOUR,
  type ScheduledFlight,
} from "@travel-booking/domain";
import { business, economy, FLIGHT, party, SOON, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

/** Rows 10 to 13, and no exits. */
const LARGER: readonly CabinPlan[] = [{ ...economy, rows: [10, 13], exitRows: [], blocked: [] }, business];

const swap = (cabins: readonly CabinPlan[], confirmed: readonly string[] = []) =>
  ({ type: "ChangeEquipment", disruptionId: "dis_1", revision: 0, reason: null, cabins, confirmed }) as const;

async function partyOn(disk: Service["systems"], flightId: string, bookingId: string) {
  const events = (await disk.log()).filter(({ stream }) => stream === `flight-${flightId}`);
  const flight = fold(flightDecider, events as unknown as readonly FlightEvent[]) as ScheduledFlight;
  return flight.occupancy.occupants.get(bookingId);
}

const typesOf = async (disk: Service["systems"], bookingId: string) =>
  (await disk.log()).filter(({ stream }) => stream === `booking-${bookingId}`).map(({ type }) => type);

test("who chooses seats on another ship that nobody knows of here follows first, and has those of the choice", async () => {
  const service = await Service.start();
  const { body: made } = await service.book({ passengers: party(1), seats: ["11A"] });
  await service.pay(made.id);
  await service.onFlight(swap(LARGER));
  const { status, body } = await service.change(made.id, { seats: ["12B"] });
  expect([status, body.seats]).toStrictEqual([200, ["12B"]]);
  expect((await partyOn(service.systems, FLIGHT, made.id))?.seats).toStrictEqual(["12B"]);
  expect((await typesOf(service.systems, made.id)).slice(-4)).toStrictEqual([
    "BookingDisrupted",
    "BookingChanged",
    "RefundStarted",
    "BookingChanged",
  ]);
  await service.runDueTasksUntil(T0 + HOUR);
  expect((await service.change(made.id, { reference: "R" })).body.seats).toStrictEqual(["12B"]);
});

test("seats are assigned on the ship that goes, and nobody else's are taken", async () => {
  const service = await Service.start();
  const { body: seated } = await service.book({ flightId: SOON, passengers: party(2), seats: ["11A", "11B"] });
  const { body: unseated } = await service.book({ flightId: SOON, passengers: party(2) });
  for (const { id } of [seated, unseated]) await service.pay(id);
  await service.onFlight(swap(LARGER, [seated.id, unseated.id]), SOON);
  await service.runDueTasksUntil(T0 + 7 * HOUR);
  const seats = async (id: string) => (await service.change(id, { reference: "R" })).body.seats;
  const [own, others] = [await seats(seated.id), await seats(unseated.id)];
  expect([own, others.length, own.some((seat) => others.includes(seat))]).toStrictEqual([["10A", "10B"], 2, false]);
  for (const { id } of [seated, unseated])
    expect((await partyOn(service.systems, SOON, id))?.seats).toStrictEqual(await seats(id));
});

test("who has no place accepts the lower cabin, is seated there, or is left behind with all money", async () => {
  const service = await Service.start();
  const first = await service.book({ flightId: SOON, passengers: party(1), cabin: "business", seats: ["1A"] });
  const second = await service.book({ flightId: SOON, passengers: party(1), cabin: "business", seats: ["1B"] });
  for (const { body } of [first, second]) await service.pay(body.id);
  await service.onFlight(swap([economy]), SOON);
  await service.runDueTasksUntil(T0 + HOUR);
  const asked = { params: { id: caseIdOf(first.body.id, 1) }, body: { revision: 1 } };
  const { status } = await service.call("acceptDisruption", asked.params, asked.body);
  expect(status).toBe(200);
  await service.runDueTasksUntil(T0 + 40 * HOUR);
  const party1 = await partyOn(service.systems, SOON, first.body.id);
  expect([party1?.cabin, party1?.seats.length, party1?.overfull]).toStrictEqual(["economy", 1, undefined]);
  expect(await partyOn(service.systems, SOON, second.body.id)).toBe(undefined);
  expect((await typesOf(service.systems, first.body.id)).at(-1)).toBe("BookingFlown");
  expect((await typesOf(service.systems, second.body.id)).slice(-2)).toStrictEqual([
    "CaseResolved",
    "BookingCancelled",
  ]);
});
