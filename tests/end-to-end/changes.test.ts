import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { BookingBody, BookingSummaryBody, SeatMapBody } from "@travel-booking/api-contract";
import { ADA, ALAN, type Client, expectStatus, type Page } from "./kit/client.ts";
import { eventsOf } from "./kit/feed.ts";
import { expectProblems, expectRefused } from "./kit/problems.ts";
import { openWorld, type World } from "./kit/world.ts";

let world: World;
let alice: Client;
beforeAll(async () => {
  world = await openWorld({
    flights: [
      { id: "F", departsIn: 60, rows: [10, 39] },
      { id: "OTHER", departsIn: 60 },
    ],
  });
  ({ alice } = world);
});
afterAll(() => world.discard());

const change = (id: string, body: unknown) => alice.patch<BookingBody>(`/v1/bookings/${id}`, body);

/** As the seat map of F has them. */
async function statusesOf(...numbers: readonly string[]): Promise<readonly (string | undefined)[]> {
  const map = expectStatus(200, await alice.get<SeatMapBody>("/v1/flights/F/seat-map"));
  const seats = map.cabins.flatMap(({ rows }) => rows.flatMap((row) => row.seats));
  return numbers.map((number) => seats.find((seat) => seat.number === number)?.status);
}

async function typesOf(id: string): Promise<readonly string[]> {
  const { data } = expectStatus(200, await alice.get<Page<{ type: string }>>(`/v1/bookings/${id}/history`));
  return data.map(({ type }) => type);
}

describe("changing a booking", () => {
  test("reference and passengers, everything else stays", async () => {
    const booking = await alice.newBooking("F", { passengers: [ADA, ALAN] });
    const changed = expectStatus(200, await change(booking.id, { reference: "r1", passengers: [ALAN, ADA] }));
    expect(changed).toStrictEqual({ ...booking, passengers: [ALAN, ADA], reference: "r1" });
    expect(await alice.booking(booking.id)).toStrictEqual(changed);
    const { reference: _, ...without } = changed;
    expect(expectStatus(200, await change(booking.id, { reference: null }))).toStrictEqual(without);
    expect(await typesOf(booking.id)).toStrictEqual(["booking.created", "booking.changed", "booking.changed"]);
  });

  test("metadata is merged, stands in the summary, and tells nobody", async () => {
    const { id } = await alice.newBooking("F", { metadata: { order: "7", agent: "A" } });
    const metadataOf = async () =>
      expectStatus(200, await alice.get<BookingSummaryBody>(`/v1/bookings/${id}/summary`)).metadata;
    expect(await metadataOf()).toStrictEqual({ order: "7", agent: "A" });
    expectStatus(200, await change(id, { metadata: { agent: "", note: "n" } }));
    expect(await metadataOf()).toStrictEqual({ order: "7", note: "n" });
    expect(await eventsOf(alice, id)).toStrictEqual([]);
    expectStatus(200, await change(id, { metadata: { note: "" }, reference: "r" }));
    const told = (await eventsOf(alice, id)).map(({ data }) => data.previousAttributes);
    expect(told).toStrictEqual([{ reference: null }]);
    const more = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, "v"]));
    expectProblems(await change(id, { metadata: more }), ["metadata must have at most 20 keys"]);
    expectProblems(await alice.book("F", { metadata: { ...more, k20: "v" } }), ["metadata must have at most 20 keys"]);
    expect(await metadataOf()).toStrictEqual({ order: "7" });
  });

  test("nothing, or what is there already, changes nothing", async () => {
    const booking = await alice.newBooking("F", { seats: ["10A"], reference: "r" });
    const same = { reference: "r", passengers: [ADA], seats: ["10A"] };
    for (const body of [{}, same]) expect(expectStatus(200, await change(booking.id, body))).toStrictEqual(booking);
    const unseated = await alice.newBooking("F");
    expect(expectStatus(200, await change(unseated.id, { reference: null, passengers: [ADA] }))).toStrictEqual(
      unseated,
    );
    expectRefused(await change(unseated.id, { seats: [] }), 422, "number of seats");
    expect(await typesOf(booking.id)).toStrictEqual(["booking.created"]);
    expect(await typesOf(unseated.id)).toStrictEqual(["booking.created"]);
  });

  test("seats while pending: the price follows, the old ones are free", async () => {
    const booking = await alice.newBooking("F", { passengers: [ADA, ALAN] });
    const left = await alice.seatsLeft("F");
    const first = expectStatus(200, await change(booking.id, { seats: ["11A", "11B"] }));
    expect([first.seats, first.totalAmount]).toStrictEqual([["11A", "11B"], 2 * 129_900 + 2_500]);
    const second = expectStatus(200, await change(booking.id, { seats: ["11B", "11C"] }));
    expect([second.seats, second.totalAmount]).toStrictEqual([["11B", "11C"], 2 * 129_900]);
    expect(await statusesOf("11A", "11B", "11C")).toStrictEqual(["available", "booked", "booked"]);
    expect(await alice.seatsLeft("F")).toBe(left);
    expectStatus(201, await world.bob.hold("F", ["11A"]));
    expectRefused(await world.bob.hold("F", ["11B"]), 409, "11B");
  });

  test("seats by a hold: all of it, or some, and it is used up", async () => {
    const booking = await alice.newBooking("F", { passengers: [ADA, ALAN] });
    const whole = expectStatus(201, await alice.hold("F", ["12A", "12B"]));
    const left = (await alice.seatsLeft("F")) ?? 0;
    expect(expectStatus(200, await change(booking.id, { holdId: whole.id })).seats).toStrictEqual(["12A", "12B"]);
    expect(await alice.seatsLeft("F")).toBe(left + 2);
    // Again: the booking has them, and the hold is none any more.
    expectRefused(await change(booking.id, { holdId: whole.id }), 404, "was used");
    const other = await alice.newBooking("F", { passengers: [ADA, ALAN] });
    expectRefused(await change(other.id, { holdId: whole.id }), 404, "was used");

    const some = expectStatus(201, await alice.hold("F", ["12C", "12D"]));
    const mixed = expectStatus(200, await change(booking.id, { seats: ["12D", "12B"], holdId: some.id }));
    expect(mixed.seats).toStrictEqual(["12D", "12B"]);
    expectStatus(201, await world.bob.hold("F", ["12A", "12C"]));
  });

  test("a hold that is named for the seats that are there already is used up, and changes nothing", async () => {
    const booking = await alice.newBooking("F", { seats: ["16A"] });
    const { id: holdId } = expectStatus(201, await alice.hold("F", ["16B"]));
    const left = (await alice.seatsLeft("F")) ?? 0;
    expect(expectStatus(200, await change(booking.id, { seats: ["16A"], holdId }))).toStrictEqual(booking);
    expect(await alice.seatsLeft("F")).toBe(left + 1);
    expect(await statusesOf("16A", "16B")).toStrictEqual(["booked", "available"]);
    expectRefused(await alice.send("DELETE", `/v1/flights/F/seat-holds/${holdId}`), 409, "used");
    expect(await typesOf(booking.id)).toStrictEqual(["booking.created"]);
    expect(expectStatus(200, await change(booking.id, { seats: ["16B"] })).seats).toStrictEqual(["16B"]);
  });

  test("one's own seats in another order", async () => {
    const booking = await alice.newBooking("F", { passengers: [ADA, ALAN], seats: ["17A", "17B"] });
    const swapped = expectStatus(200, await change(booking.id, { seats: ["17B", "17A"] }));
    expect(swapped).toStrictEqual({ ...booking, seats: ["17B", "17A"] });
    expect(await statusesOf("17A", "17B")).toStrictEqual(["booked", "booked"]);
  });

  test("a seat that one holds oneself is taken with its hold, not without", async () => {
    const booking = await alice.newBooking("F");
    const { id: holdId } = expectStatus(201, await alice.hold("F", ["18A"]));
    expectRefused(await change(booking.id, { seats: ["18A"] }), 409, "18A");
    expect(expectStatus(200, await change(booking.id, { seats: ["18A"], holdId })).seats).toStrictEqual(["18A"]);
  });

  test("404, 409, 422 as the document says, and nothing has changed", async () => {
    const booking = await alice.newBooking("F", { seats: ["13A"] });
    expectStatus(201, await world.bob.hold("F", ["13B"]));
    await world.bob.newBooking("F", { seats: ["13C"] });
    const elsewhere = expectStatus(201, await alice.hold("OTHER", ["13D"]));
    const business = expectStatus(201, await alice.hold("F", ["1A"]));
    const two = expectStatus(201, await alice.hold("F", ["14A", "14B"]));
    const refusals: [object, number, string][] = [
      [{ holdId: "hld_none" }, 404, "no seat hold"],
      [{ seats: ["13B"] }, 409, "13B"],
      [{ seats: ["13C"] }, 409, "13C"],
      [{ seats: ["14A"] }, 409, "14A"],
      [{ seats: [] }, 422, "number of seats"],
      [{ seats: ["15A", "15B"] }, 422, "number of seats"],
      [{ holdId: two.id }, 422, "number of seats"],
      [{ passengers: [ADA, ALAN] }, 422, "number of passengers"],
      [{ passengers: [] }, 422, "number of passengers"],
      [{ seats: ["1D"] }, 422, "1D"],
      [{ seats: ["99Z"] }, 422, "99Z"],
      [{ holdId: business.id }, 422, "another cabin"],
      [{ holdId: elsewhere.id }, 422, "another flight"],
      [{ reference: "new", seats: ["13B"] }, 409, "13B"],
    ];
    for (const [body, status, words] of refusals) expectRefused(await change(booking.id, body), status, words);
    expect(await alice.booking(booking.id)).toStrictEqual(booking);
    expect(await typesOf(booking.id)).toStrictEqual(["booking.created"]);
    expect(await statusesOf("13A", "15A", "15B")).toStrictEqual(["booked", "available", "available"]);
  });

  test("400 names every problem", async () => {
    const { id } = await alice.newBooking("F");
    expectProblems(await change(id, { reference: 1, passengers: [null], seats: "10A", holdId: "", cabin: "first" }), [
      "reference must be a string",
      "passengers[0] must be an object",
      "seats must be an array",
      "holdId must not be blank",
      "cabin is not a known field",
    ]);
    expectProblems(await change(id, ""), ["body is required"]);
  });

  test("once it is paid: the same price or less, and nothing back", async () => {
    const { booking } = await alice.paidBooking("F", { seats: ["20B"] });
    expectRefused(await change(booking.id, { seats: ["20A"] }), 409, "cost more");
    expectStatus(201, await world.bob.hold("F", ["20A"]));
    const moved = expectStatus(200, await change(booking.id, { seats: ["20C"] }));
    expect(moved).toStrictEqual({ ...booking, seats: ["20C"] });

    const dear = (await alice.paidBooking("F", { seats: ["21A"] })).booking;
    const cheaper = expectStatus(200, await change(dear.id, { seats: ["21B"], reference: "aisle" }));
    expect(cheaper).toStrictEqual({ ...dear, seats: ["21B"], reference: "aisle" });
  });

  test("of the price is refused while a bank transfer is under way; of anything else is not", async () => {
    const booking = await alice.newBooking("F", { seats: ["22B"] });
    expectStatus(201, await alice.pay(booking.id, { type: "bank_transfer" }));
    expectRefused(await change(booking.id, { seats: ["22A"] }), 409, "price");
    expectStatus(201, await world.bob.hold("F", ["22A"]));
    const moved = expectStatus(200, await change(booking.id, { seats: ["22C"], reference: "same price" }));
    expect([moved.seats, moved.totalAmount]).toStrictEqual([["22C"], booking.totalAmount]);
  });
});
