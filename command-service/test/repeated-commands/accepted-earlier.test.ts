import { describe, expect, test } from "@jest/globals";
import { endState } from "../support/end-state.ts";
import { party } from "../support/sample.ts";
import { Service } from "../support/service.ts";

/** A command that was carried out, without its answer having been kept, comes again under its id. */
describe("a repeated command whose first attempt was decided", () => {
  test("the seats it left as they were have been changed since: booking and flight stay of one mind", async () => {
    const service = await Service.start();
    const { systems } = service;
    const { body: booking } = await service.book({ passengers: party(1), seats: ["10A"] });
    const commandId = systems.ids.next();
    const first = { seats: ["10A"], reference: "ours" };
    expect((await service.change(booking.id, first, { repeatedCommandId: commandId })).status).toBe(200);
    expect((await service.change(booking.id, { seats: ["11A"] })).status).toBe(200);

    const again = await new Service(systems).change(booking.id, first, { repeatedCommandId: commandId });
    expect([again.status, again.body.seats, again.body.reference]).toStrictEqual([200, ["11A"], "ours"]);
    const { occupants, bookings } = await endState(systems);
    expect(bookings.map(({ seats }) => seats)).toStrictEqual([["11A"]]);
    expect(occupants).toStrictEqual([{ bookingId: booking.id, seats: ["11A"], passengers: 1, change: null }]);
  });

  test.each([
    ["new seats", { seats: ["10B"] }],
    ["the seats it had", { seats: ["10A"], reference: "ours" }],
  ])("a change, with %s, stands though the booking has been cancelled since", async (_, body) => {
    const service = await Service.start();
    const { systems } = service;
    const { body: booking } = await service.book({ passengers: party(1), seats: ["10A"] });
    const commandId = systems.ids.next();
    expect((await service.change(booking.id, body, { repeatedCommandId: commandId })).status).toBe(200);
    await service.cancel(booking.id);
    await systems.newEvents();
    const again = await new Service(systems).change(booking.id, body, { repeatedCommandId: commandId });
    expect([again.status, again.body.status, again.body.seats]).toStrictEqual([200, "cancelled", body.seats]);
    expect(await systems.newEvents()).toStrictEqual([]);
  });

  test("and so does one whose seats were not moved on the flight yet", async () => {
    const service = await Service.start("change:decided");
    const { systems } = service;
    const { body: booking } = await service.book({ passengers: party(1), seats: ["10A"] });
    const commandId = systems.ids.next();
    await expect(service.change(booking.id, { seats: ["10B"] }, { repeatedCommandId: commandId })).rejects.toThrow();
    const next = new Service(systems);
    await next.cancel(booking.id);
    const again = await next.change(booking.id, { seats: ["10B"] }, { repeatedCommandId: commandId });
    expect([again.status, again.body.seats]).toStrictEqual([200, ["10B"]]);
    expect((await endState(systems)).occupants).toStrictEqual([]);
  });

  test("a cancellation finishes what is left of it, and no more", async () => {
    const service = await Service.start();
    const { systems } = service;
    const { body: booking } = await service.book({ passengers: party(1), seats: ["10A"] });
    const commandId = systems.ids.next();
    const first = await service.cancel(booking.id, { repeatedCommandId: commandId });
    await systems.newEvents();
    expect(await new Service(systems).cancel(booking.id, { repeatedCommandId: commandId })).toStrictEqual(first);
    expect(await systems.newEvents()).toStrictEqual([]);
  });
});
