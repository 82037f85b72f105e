import { describe, expect, test } from "@jest/globals";
import { endState } from "../support/end-state.ts";
import { party } from "../support/sample.ts";
import { Service } from "../support/service.ts";

/** A command that was carried out, without its answer having been kept, comes again under its id. */
describe("a repeated command whose first attempt was decided", () => {
  test("the seats it left as they were have been changed since: booking and flight stay of one mind", async () => {
    const service = await Service.open();
    const { disk } = service;
    const { body: booking } = await service.book({ passengers: party(1), seats: ["10A"] });
    const commandId = disk.ids.next();
    const first = { seats: ["10A"], reference: "ours" };
    expect((await service.change(booking.id, first, { repeats: commandId })).status).toBe(200);
    expect((await service.change(booking.id, { seats: ["11A"] })).status).toBe(200);

    const again = await new Service(disk).change(booking.id, first, { repeats: commandId });
    expect([again.status, again.body.seats, again.body.reference]).toStrictEqual([200, ["11A"], "ours"]);
    const { occupants, bookings } = await endState(disk);
    expect(bookings.map(({ seats }) => seats)).toStrictEqual([["11A"]]);
    expect(occupants).toStrictEqual([{ bookingId: booking.id, seats: ["11A"], passengers: 1, change: null }]);
  });

  test("a cancellation finishes what is left of it, and no more", async () => {
    const service = await Service.open();
    const { disk } = service;
    const { body: booking } = await service.book({ passengers: party(1), seats: ["10A"] });
    const commandId = disk.ids.next();
    const first = await service.cancel(booking.id, { repeats: commandId });
    await disk.fresh();
    expect(await new Service(disk).cancel(booking.id, { repeats: commandId })).toStrictEqual(first);
    expect(await disk.fresh()).toStrictEqual([]);
  });
});
