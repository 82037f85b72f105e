import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { BookingBody, PaymentBody, SeatHoldBody } from "@travel-booking/api-contract";
import { bookingCodeOf } from "@travel-booking/domain/boarding-pass";
import { until } from "../../support/until.ts";
import { ADA, ALAN, type Client, expectStatus, type Page } from "../kit/client.ts";
import { expectProblems } from "../kit/problems.ts";
import { openWorld, readAllEntries, type World } from "../kit/world.ts";

let world: World;
let alice: Client;
let bob: Client;
let first: BookingBody;
let second: BookingBody;
let third: BookingBody;
let paid: PaymentBody;
let declined: PaymentBody;
beforeAll(async () => {
  world = await openWorld({
    flights: [
      { id: "F", departsIn: 60 },
      { id: "G", departsIn: 61 },
    ],
  });
  ({ alice, bob } = world);
  const party = { passengers: [ALAN, { ...ADA, email: "Ada.Lovelace@Example.com" }] };
  first = await alice.newBooking("F", { ...party, reference: "Trip ü 1" });
  second = await alice.newBooking("G", { reference: "trip ü 1" });
  third = await alice.newBooking("F", { passengers: [{ ...ADA, email: "ada.lovelace@example.com" }] });
  await bob.newBooking("F", { ...party, reference: "Trip ü 1" });
  declined = expectStatus(201, await alice.pay(second.id, { token: "tok_declined_card_declined" }));
  paid = expectStatus(201, await alice.pay(first.id));
});
afterAll(() => world.discard());

async function found(filters: Readonly<Record<string, string>>, client = alice): Promise<readonly string[]> {
  const all = await readAllEntries<BookingBody>(client, `/v1/bookings?${new URLSearchParams(filters)}`, 1);
  return all.map(({ id }) => id);
}

const day = (moment: string, more = 0) => new Date(Date.parse(moment) + more * 86_400_000).toISOString().slice(0, 10);

describe("bookings are found", () => {
  test("by a passenger's e-mail address, whatever its case, and by a reference exactly", async () => {
    expect(await found({ email: "ADA.LOVELACE@EXAMPLE.COM" })).toStrictEqual([third.id, first.id]);
    expect(await found({ email: ALAN.email })).toStrictEqual([first.id]);
    expect(await found({ email: "lovelace@example.com" })).toStrictEqual([]);
    expect(await found({ reference: "Trip ü 1" })).toStrictEqual([first.id]);
    expect(await found({ reference: "trip ü 1", email: ADA.email })).toStrictEqual([second.id]);
    expect(await found({ reference: "trip ü 1", email: ALAN.email })).toStrictEqual([]);
    expect(await found({ reference: "Trip ü 1" }, bob)).toHaveLength(1);
  });

  test("by flight, status and the code on their passes", async () => {
    expect(await found({ flightId: "F" })).toStrictEqual([third.id, first.id]);
    expect(await found({ flightId: "none" })).toStrictEqual([]);
    expect(await found({ status: "pending" })).toStrictEqual([third.id, second.id]);
    expect(await found({ status: "confirmed", flightId: "F" })).toStrictEqual([first.id]);
    expect(await found({ passCode: bookingCodeOf(second.id).toLowerCase() })).toStrictEqual([second.id]);
    expect(await found({ passCode: bookingCodeOf(second.id) }, bob)).toStrictEqual([]);
  });

  test("by when they were made, and when they depart", async () => {
    const { data } = expectStatus(200, await alice.get<{ data: { departsAt: string }[] }>("/v1/flights"));
    const [departure = "", next = ""] = data.map(({ departsAt }) => departsAt);
    expect(await found({ departsAfter: day(departure) })).toStrictEqual([third.id, second.id, first.id]);
    expect(await found({ departsAfter: next })).toStrictEqual([second.id]);
    expect(await found({ departsBefore: next, departsAfter: departure })).toStrictEqual([third.id, first.id]);
    expect(await found({ departsBefore: day(departure) })).toStrictEqual([]);
    const made = await found({ createdAfter: first.createdAt, createdBefore: third.createdAt });
    expect(made).toStrictEqual(
      second.createdAt > first.createdAt && second.createdAt < third.createdAt ? [second.id] : [],
    );
    expect(await found({ createdAfter: third.createdAt })).toStrictEqual([]);
  });

  test("as they are after one's own change", async () => {
    expectStatus(200, await alice.patch(`/v1/bookings/${third.id}`, { reference: "new", passengers: [ALAN] }));
    expect(await found({ reference: "new" })).toStrictEqual([third.id]);
    expect(await found({ email: ALAN.email })).toStrictEqual([third.id, first.id]);
    expect(await found({ email: "ada.lovelace@example.com" })).toStrictEqual([first.id]);
    expectStatus(200, await alice.cancel(third.id));
    expect(await found({ status: "cancelled" })).toStrictEqual([third.id]);
  });

  test("by no word once they are erased, and by all else", async () => {
    expect(await world.service.operator("POST", `/bookings/${third.id}/erase`)).toMatchObject({ status: 200 });
    // Another process has five seconds to forget what it has shown (docs/privacy.md).
    await until(async () => (await alice.booking(third.id)).reference !== "new");
    for (const word of [{ reference: "new" }, { reference: "[erased]" }, { email: "erased@erased.invalid" }]) {
      expect(await found(word)).toStrictEqual([]);
    }
    expect(await found({ email: ALAN.email })).toStrictEqual([first.id]);
    expect(await found({ flightId: "F", status: "cancelled" })).toStrictEqual([third.id]);
    expect(await found({ passCode: bookingCodeOf(third.id) })).toStrictEqual([third.id]);
  });

  test("with filters that are some: 400 with an entry for each that is none", async () => {
    expectProblems(await alice.get("/v1/bookings?passCode=1234567&departsAfter=2027-02-30&flightID=F"), [
      "passCode must be six letters and digits",
      "departsAfter must be a date or a date-time with an offset",
      "flightID is not a known parameter; did you mean flightId?",
    ]);
  });
});

describe("payments are listed", () => {
  const listed = async (filters: Readonly<Record<string, string>>, client = alice) => {
    const all = await readAllEntries<PaymentBody>(client, `/v1/payments?${new URLSearchParams(filters)}`, 1);
    return all.map(({ id }) => id);
  };

  test("newest first, each as it is by its id", async () => {
    const { data } = expectStatus(200, await alice.get<Page<PaymentBody>>("/v1/payments"));
    expect(data).toStrictEqual([paid, declined]);
    expect(await listed({}, bob)).toStrictEqual([]);
  });

  test("by booking, status and time", async () => {
    expect(await listed({ bookingId: first.id })).toStrictEqual([paid.id]);
    expect(await listed({ bookingId: first.id }, bob)).toStrictEqual([]);
    expect(await listed({ status: "failed" })).toStrictEqual([declined.id]);
    expect(await listed({ createdAfter: declined.createdAt, createdBefore: paid.createdAt })).toStrictEqual([]);
    expect(await listed({ createdBefore: paid.createdAt })).toStrictEqual([declined.id]);
  });
});

test("a hold is its owner's to read, active, used or released", async () => {
  const hold = async (seat: string) => expectStatus(201, await alice.hold("G", [seat]));
  const read = async ({ id }: SeatHoldBody) =>
    expectStatus(200, await alice.get<SeatHoldBody>(`/v1/flights/G/seat-holds/${id}`));
  const [active, used, released] = [await hold("10A"), await hold("10B"), await hold("10C")];
  await alice.newBooking("G", { holdId: used.id });
  expectStatus(204, await alice.send("DELETE", `/v1/flights/G/seat-holds/${released.id}`));
  expect(await read(active)).toStrictEqual(active);
  expect(await read(used)).toStrictEqual({ ...used, status: "used" });
  expect(await read(released)).toStrictEqual({ ...released, status: "released" });
  for (const [client, path] of [
    [bob, `G/seat-holds/${active.id}`],
    [alice, `F/seat-holds/${active.id}`],
  ] as const) {
    expect((await client.get(`/v1/flights/${path}`)).status).toBe(404);
  }
});
