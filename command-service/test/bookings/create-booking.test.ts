import { describe, expect, test } from "@jest/globals";
import { HOUR, MINUTE } from "@travel-booking/domain";
import { bookingIdOf } from "@travel-booking/runtime";
import { ADA, BOB, DEPARTS_AT, FLIGHT, party, SOON, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

const refusal = (status: number, message: string) => ({
  status,
  body: {
    statusCode: status,
    message,
    error: { 404: "Not Found", 409: "Conflict", 422: "Unprocessable Entity" }[status],
  },
});

describe("booking", () => {
  test("takes the seats on the flight first, then creates the booking at the price of that moment", async () => {
    const service = await Service.start();
    const { systems } = service;
    const commandId = systems.ids.next();
    const bookingId = bookingIdOf(commandId);
    const passengers = party(2);
    const { status, body } = await service.book(
      { passengers, seats: ["10A", "11A"], reference: "our trip" },
      { repeatedCommandId: commandId },
    );
    const [fareAmount, surcharges, currency] = [100_000, [0, 4_000], "USD"];
    expect(await systems.newEvents()).toStrictEqual([
      {
        stream: `flight-${FLIGHT}`,
        type: "SeatsAllocated",
        data: {
          bookingId,
          accountId: ADA,
          cabin: "economy",
          passengers: 2,
          seats: ["10A", "11A"],
          holdId: null,
          fareAmount,
          currency,
          surcharges,
        },
      },
      {
        stream: `booking-${bookingId}`,
        type: "BookingCreated",
        data: {
          bookingId,
          accountId: ADA,
          flightId: FLIGHT,
          cabin: "economy",
          departsAt: DEPARTS_AT,
          passengers,
          seats: ["10A", "11A"],
          fareAmount,
          surcharges,
          creditApplied: 0,
          pointsRate: { points: 1, per: 100 },
          totalAmount: 204_000,
          currency,
          reference: "our trip",
          expiresAt: T0 + 24 * HOUR,
        },
      },
    ]);
    expect({ status, body }).toStrictEqual({
      status: 201,
      body: {
        id: bookingId,
        status: "pending",
        cabin: "economy",
        flightId: FLIGHT,
        passengers,
        totalAmount: 204_000,
        currency,
        documents: [],
        seats: ["10A", "11A"],
        reference: "our trip",
        createdAt: new Date(T0).toISOString(),
      },
    });
  });

  test("uses up a hold and takes its seats", async () => {
    const service = await Service.start();
    const { body: hold } = await service.hold(["10A", "10B"]);
    const { status, body } = await service.book({ passengers: party(2), holdId: hold.id });
    expect([status, body.seats]).toStrictEqual([201, ["10A", "10B"]]);
    expect(await service.book({ passengers: party(2), holdId: hold.id })).toStrictEqual(
      refusal(404, "the seat hold was used on a booking"),
    );
  });

  test("promises places without seats, and no more of them than there are", async () => {
    const service = await Service.start();
    expect((await service.book({ passengers: party(4) })).body.seats).toStrictEqual([]);
    expect(await service.book({ passengers: party(2) })).toStrictEqual(
      refusal(409, "not enough seats are left in this cabin"),
    );
    expect((await service.book({ passengers: party(1) })).status).toBe(201);
    expect(await service.hold(["10A"])).toStrictEqual(
      refusal(409, "the seats left are owed to passengers without a seat: 10A"),
    );
  });

  test.each<readonly [string, object, number, string]>([
    ["an unknown flight", { flightId: "KP999" }, 404, "no flight with this id"],
    ["an unknown hold", { holdId: "hld_none" }, 404, "no seat hold with this id"],
    ["a cabin the flight does not have", { cabin: "first" }, 422, "this flight has no such cabin"],
    [
      "more seats than passengers",
      { seats: ["10A", "10B"] },
      422,
      "the number of seats does not match the number of passengers",
    ],
    ["a seat of another cabin", { seats: ["1A"] }, 422, "seat in another cabin than the booking's: 1A"],
    ["a seat that does not exist", { seats: ["99Z"] }, 422, "no such seat on this flight: 99Z"],
    ["a blocked seat", { seats: ["12B"] }, 409, "seat is not for sale: 12B"],
    ["a seat held by somebody", { seats: ["10B"] }, 409, "seat is already held: 10B"],
    ["a seat booked by somebody", { seats: ["11B"] }, 409, "seat is taken: 11B"],
  ])("refuses %s", async (_, body, status, message) => {
    const service = await Service.start();
    await service.hold(["10B"], { accountId: BOB });
    await service.book({ passengers: party(1), seats: ["11B"] }, { accountId: BOB });
    await service.systems.newEvents();
    expect(await service.book({ passengers: party(1), ...body })).toStrictEqual(refusal(status, message));
    expect(await service.systems.newEvents()).toStrictEqual([]);
  });

  test("tells a hold on another flight from one that is gone, but only to its owner", async () => {
    const service = await Service.start();
    const { body: hold } = await service.hold(["10A"], { flightId: SOON });
    const body = { passengers: party(1), holdId: hold.id };
    expect(await service.book(body)).toStrictEqual(refusal(422, "the seat hold is on another flight"));
    expect(await service.book(body, { accountId: BOB })).toStrictEqual(refusal(404, "no seat hold with this id"));
  });

  test("a hold past its time is gone though nobody has recorded it, and that is recorded now", async () => {
    const service = await Service.start();
    const { body: hold } = await service.hold(["10A"]);
    service.systems.clock.advance(15 * MINUTE);
    await service.systems.newEvents();
    expect((await service.book({ passengers: party(1), holdId: hold.id })).status).toBe(404);
    expect(await service.systems.newEventTypes()).toStrictEqual(["SeatHoldExpired"]);
    expect((await service.book({ passengers: party(1), seats: ["10A"] })).status).toBe(201);
  });

  test("departed between the seats and the booking: the seats go back", async () => {
    const { systems } = await Service.start();
    systems.clock.set(DEPARTS_AT - 1);
    const service = new Service(systems, (point) => {
      if (point === "book:allocated") systems.clock.advance(1);
    });
    expect((await service.book({ passengers: party(1), seats: ["10A"] })).status).toBe(409);
    expect(await systems.newEventTypes()).toStrictEqual(["SeatsAllocated", "AllocationReleased"]);
    expect(await systems.openDueTasks()).toStrictEqual([]);
  });
});
