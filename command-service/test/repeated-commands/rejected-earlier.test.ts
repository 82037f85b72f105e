import { describe, expect, test } from "@jest/globals";
import { HOUR, MINUTE } from "@travel-booking/domain";
import { endState } from "../support/end-state.ts";
import { party } from "../support/sample.ts";
import { Service } from "../support/service.ts";

/** A command that was refused, without its answer having been kept, comes again under its id. */
describe("a repeated command whose first attempt was refused", () => {
  test("while holds lapsed: holding is refused again, and is not taken for done", async () => {
    const service = await Service.start();
    const { systems } = service;
    await service.book({ passengers: party(1), seats: ["10A"] });
    await service.hold(["10B"]);
    systems.clock.advance(15 * MINUTE);
    await systems.newEvents();
    const commandId = systems.ids.next();
    const first = await service.hold(["10A"], { repeatedCommandId: commandId });
    expect(await systems.newEventTypes()).toStrictEqual(["SeatHoldExpired"]);
    expect(first.status).toBe(409);
    expect(await new Service(systems).hold(["10A"], { repeatedCommandId: commandId })).toStrictEqual(first);
  });

  test("while the booking expired: paying is refused again", async () => {
    const service = await Service.start();
    const { systems } = service;
    const { body: booking } = await service.book({ passengers: party(1) });
    systems.clock.advance(24 * HOUR);
    await systems.newEvents();
    const commandId = systems.ids.next();
    const first = await service.pay(booking.id, "tok_visa", { repeatedCommandId: commandId });
    expect(await systems.newEventTypes()).toStrictEqual(["BookingCancelled"]);
    expect(first.status).toBe(409);
    expect(await new Service(systems).pay(booking.id, "tok_visa", { repeatedCommandId: commandId })).toStrictEqual(
      first,
    );
    expect(await systems.ledger()).toStrictEqual([]);
  });

  test("while the booking expired: a change is refused again, and not acknowledged", async () => {
    const service = await Service.start();
    const { systems } = service;
    const { body: booking } = await service.book({ passengers: party(1) });
    systems.clock.advance(24 * HOUR);
    const commandId = systems.ids.next();
    const body = { reference: "ours" };
    expect((await service.change(booking.id, body, { repeatedCommandId: commandId })).status).toBe(409);
    expect((await new Service(systems).change(booking.id, body, { repeatedCommandId: commandId })).status).toBe(409);
  });

  test("what lapses is recorded under an id of its own each time", async () => {
    const service = await Service.start();
    const { systems } = service;
    await service.book({ passengers: party(1), seats: ["10A"] });
    await service.hold(["10B"]);
    systems.clock.advance(MINUTE);
    await service.hold(["11A"]);
    const commandId = systems.ids.next();
    for (const minutes of [14, 1]) {
      systems.clock.advance(minutes * MINUTE);
      expect((await service.hold(["10A"], { repeatedCommandId: commandId })).status).toBe(409);
    }
    const log = await systems.log();
    expect(log.filter((event) => event.type === "SeatHoldExpired")).toHaveLength(2);
    expect(new Set(log.map((event) => event.id)).size).toBe(log.length);
  });

  test("a change of seats, refused and dropped, can't take them later, when somebody else may have them", async () => {
    const service = await Service.start();
    const { systems } = service;
    const { body: booking } = await service.book({ passengers: party(1), seats: ["10A"] });
    systems.gateway.failUnavailable("charge", 1_000);
    expect((await service.pay(booking.id)).status).toBe(503);
    const commandId = systems.ids.next();
    const dearer = { seats: ["11A"] };
    const first = await service.change(booking.id, dearer, { repeatedCommandId: commandId });
    expect(first.body).toMatchObject({
      statusCode: 409,
      message: "this would change the price while a payment is under way",
    });

    await service.runDueTasksUntil(systems.clock.now() + MINUTE);
    expect((await service.hold(["11A"], { accountId: "acc_bob" })).status).toBe(201);
    expect((await new Service(systems).change(booking.id, dearer, { repeatedCommandId: commandId })).status).toBe(409);
    const { occupants, bookings } = await endState(systems);
    expect(occupants.map(({ seats }) => seats)).toStrictEqual([["10A"]]);
    expect(bookings.map(({ seats }) => seats)).toStrictEqual([["10A"]]);
  });
});
