import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { BookingBody, PaymentBody, SeatHoldBody } from "@travel-booking/api-contract";
import { ADA, ALAN, type Client, expectStatus, type Page } from "../kit/client.ts";
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

  test("as they are after one's own change", async () => {
    expectStatus(200, await alice.patch(`/v1/bookings/${third.id}`, { reference: "new", passengers: [ALAN] }));
    expect(await found({ reference: "new" })).toStrictEqual([third.id]);
    expect(await found({ email: ALAN.email })).toStrictEqual([third.id, first.id]);
    expect(await found({ email: "ada.lovelace@example.com" })).toStrictEqual([first.id]);
    expectStatus(200, await alice.cancel(third.id));
    expect(await found({ status: "cancelled" })).toStrictEqual([third.id]);
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
