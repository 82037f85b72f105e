import { describe, expect, test } from "@jest/globals";
import { BOB, FLIGHT, party } from "../support/sample.ts";
import { Service } from "../support/service.ts";

async function booked(body: object = { passengers: party(1), seats: ["10A"] }) {
  const service = await Service.start();
  const { body: booking } = await service.book(body);
  await service.systems.newEvents();
  return { service, disk: service.systems, booking, change: (changes: object) => service.change(booking.id, changes) };
}

describe("changing a booking", () => {
  test("reserves beside the old seats, decides, then gives the old ones up", async () => {
    const { service, disk, booking } = await booked();
    const commandId = disk.ids.next();
    const { status, body } = await service.change(booking.id, { seats: ["11A"] }, { repeatedCommandId: commandId });
    expect({ status, body }).toStrictEqual({ status: 200, body: { ...booking, seats: ["11A"], totalAmount: 104_000 } });
    const [bookingId, changeId] = [booking.id, commandId];
    expect(await disk.newEvents()).toStrictEqual([
      {
        stream: `flight-${FLIGHT}`,
        type: "SeatChangeReserved",
        data: { bookingId, changeId, seats: ["11A"], surcharges: [4_000], holdId: null },
      },
      {
        stream: `booking-${bookingId}`,
        type: "BookingChanged",
        data: { changeId, seats: ["11A"], surcharges: [4_000], totalAmount: 104_000 },
      },
      { stream: `flight-${FLIGHT}`, type: "SeatChangeApplied", data: { bookingId, changeId } },
    ]);
    expect((await service.hold(["10A"], { accountId: BOB })).status).toBe(201);
    expect((await service.hold(["11A"], { accountId: BOB })).status).toBe(409);
  });

  test("takes the seats of a hold, and uses it up", async () => {
    const { service, change } = await booked();
    const { body: hold } = await service.hold(["12A"]);
    expect((await change({ holdId: hold.id })).body.seats).toStrictEqual(["12A"]);
    const other = await service.book({ passengers: party(1) });
    const { body } = await service.change(other.body.id, { holdId: hold.id });
    expect(body).toMatchObject({ message: "the seat hold was used on a booking" });
  });

  test("to the seats of a hold that it has used up is refused, whatever else the change asks for; the same command is not", async () => {
    const { disk, service, booking } = await booked();
    const bookingId = booking.id;
    const { body: hold } = await service.hold(["12A"]);
    const asked = { repeatedCommandId: disk.ids.next() };
    const first = await service.change(bookingId, { holdId: hold.id }, asked);
    await disk.newEvents();
    for (const besides of [{}, { seats: ["12A"] }, { reference: "R" }]) {
      const { status, body } = await service.change(bookingId, { holdId: hold.id, ...besides });
      expect([status, body]).toMatchObject([404, { message: "the seat hold was used on a booking" }]);
    }
    expect(await service.change(bookingId, { holdId: hold.id }, asked)).toStrictEqual(first);
    expect(await disk.newEvents()).toStrictEqual([]);
  });

  test("reference and passengers alone touch the booking alone", async () => {
    const { disk, booking, change } = await booked();
    const passengers = [{ name: "Grace Hopper", email: "grace@example.com" }];
    const { body } = await change({ reference: "R1", passengers });
    expect(body).toStrictEqual({ ...booking, passengers, reference: "R1" });
    expect(await disk.newEvents()).toStrictEqual([
      {
        stream: `booking-${booking.id}`,
        type: "BookingChanged",
        data: { changeId: null, reference: "R1", passengers },
      },
    ]);
    expect((await change({ reference: null })).body).toStrictEqual({ ...booking, passengers });
  });

  test.each<readonly [string, object]>([
    ["nothing", {}],
    ["the seats it has", { seats: ["10A"] }],
    ["the passengers it has", { passengers: party(1) }],
    ["no reference where there is none", { reference: null }],
  ])("%s changes nothing and records nothing", async (_, body) => {
    const { disk, booking, change } = await booked();
    expect(await change(body)).toStrictEqual({ status: 200, body: booking });
    expect(await disk.newEvents()).toStrictEqual([]);
  });

  test.each<readonly [string, object, number, string]>([
    ["a taken seat", { seats: ["11B"] }, 409, "seat is taken: 11B"],
    ["a held seat", { seats: ["10B"] }, 409, "seat is already held: 10B"],
    ["a blocked seat", { seats: ["12B"] }, 409, "seat is not for sale: 12B"],
    ["an unknown seat", { seats: ["99Z"] }, 422, "no such seat on this flight: 99Z"],
    ["another cabin's seat", { seats: ["1A"] }, 422, "seat in another cabin than the booking's: 1A"],
    ["too many seats", { seats: ["11A", "12A"] }, 422, "the number of seats does not match the number of passengers"],
    ["no seat at all", { seats: [] }, 422, "the number of seats does not match the number of passengers"],
    ["somebody else's hold", { holdId: "hld_none" }, 404, "no seat hold with this id"],
    [
      "other passengers in number",
      { passengers: party(2) },
      422,
      "the number of passengers does not match the booking; cancel and book again to add or remove one",
    ],
  ])("refuses %s and leaves everything as it is", async (_, body, status, message) => {
    const { service, change, disk } = await booked();
    await service.hold(["10B"], { accountId: BOB });
    await service.book({ passengers: party(1), seats: ["11B"] }, { accountId: BOB });
    await disk.newEvents();
    expect(await change(body)).toMatchObject({ status, body: { statusCode: status, message } });
    expect(await disk.newEvents()).toStrictEqual([]);
  });

  test("an unknown booking and another account's are the same to ask for", async () => {
    const { service, booking } = await booked();
    const unknown = { status: 404, body: { statusCode: 404, message: "no booking with this id", error: "Not Found" } };
    for (const body of [{ reference: "R" }, { seats: ["12A"] }]) {
      expect(await service.change("bkg_none", body)).toStrictEqual(unknown);
      expect(await service.change(booking.id, body, { accountId: BOB })).toStrictEqual(unknown);
    }
  });

  test("once paid, dearer seats are refused before they are reserved", async () => {
    const { service, booking, change, disk } = await booked();
    await service.pay(booking.id);
    await disk.newEvents();
    expect(await change({ seats: ["11A"] })).toMatchObject({
      status: 409,
      body: { message: "the booking is paid and the new seats cost more; cancel and book again" },
    });
    expect(await disk.newEvents()).toStrictEqual([]);
    expect((await service.hold(["11A"], { accountId: BOB })).status).toBe(201);
    expect((await change({ seats: ["12A"] })).body).toMatchObject({ seats: ["12A"], totalAmount: 100_000 });
  });

  test("a refused change leaves the hold as it is", async () => {
    const { service, booking, change } = await booked({ passengers: party(1) });
    await service.pay(booking.id);
    const { body: hold } = await service.hold(["11A"]);
    expect((await change({ holdId: hold.id })).status).toBe(409);
    expect((await service.hold(["11A"], { accountId: BOB })).status).toBe(409);
    expect((await service.book({ passengers: party(1), holdId: hold.id })).status).toBe(201);
  });
});
