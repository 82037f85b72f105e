import { describe, expect, test } from "@jest/globals";
import { bookingDecider, DAY, isExistingBooking, MINUTE, RECOVERY_GRACE } from "@travel-booking/domain";
import { assignSeats } from "../../src/index.ts";
import { ProcessCrashed } from "../support/crashable.ts";
import { endState } from "../support/end-state.ts";
import { DEPARTS_AT, party, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

/** A confirmed booking without seats. */
async function paid(service: Service, passengers = 2, flightId?: string): Promise<string> {
  const { body } = await service.book({ passengers: party(passengers), ...(flightId && { flightId }) });
  expect((await service.pay(body.id)).status).toBe(201);
  return body.id;
}

/** What the booking says it has, and what its flight does. */
async function seatsIn({ systems, services }: Service, bookingId: string) {
  const booking = await services.handler.readState({
    stream: `booking-${bookingId}`,
    decider: bookingDecider,
    reply: (state) => (isExistingBooking(state) ? state.seats : undefined),
  });
  const occupant = (await endState(systems)).occupants.find((one) => one.bookingId === bookingId);
  return { booking, flight: occupant?.seats, change: occupant?.change };
}

describe("assigning seats", () => {
  test("the flight chooses, the booking takes over, the flight keeps", async () => {
    const service = await Service.start();
    const id = await paid(service);
    await service.systems.newEvents();
    expect(await assignSeats(service.services, id)).toStrictEqual({
      done: true,
      position: await service.systems.store.head(),
    });
    expect(await service.systems.newEventTypes()).toStrictEqual([
      "SeatChangeReserved",
      "BookingChanged",
      "SeatChangeApplied",
    ]);
    expect(await seatsIn(service, id)).toStrictEqual({ booking: ["10A", "10B"], flight: ["10A", "10B"], change: null });
    expect((await assignSeats(service.services, id)).done).toBe(true);
    expect(await service.systems.newEvents()).toStrictEqual([]);
  });

  test("a client's own change under way is waited for, and not for ever", async () => {
    const dying = await Service.start("change:reserved");
    const id = await paid(dying);
    await expect(dying.change(id, { seats: ["10B", "12A"] })).rejects.toThrow(ProcessCrashed);
    const service = new Service(dying.systems);
    expect((await assignSeats(service.services, id)).done).toBe(false);
    await service.runDueTasksUntil(T0 + RECOVERY_GRACE);
    expect((await assignSeats(service.services, id)).done).toBe(true);
    expect((await seatsIn(service, id)).booking).toStrictEqual(["10A", "10B"]);
  });
});

/** The next process, after one that came to its end at that point. */
async function diedAt(point: string) {
  const dying = await Service.start(point);
  const id = await paid(dying);
  await expect(assignSeats(dying.services, id)).rejects.toThrow(ProcessCrashed);
  return { service: new Service(dying.systems), id };
}

describe("a process that dies while it assigns seats", () => {
  test.each(["seats:reserved", "seats:decided"])(
    "at %s: the next one to ask goes on with the same seats",
    async (point) => {
      const { service, id } = await diedAt(point);
      expect((await assignSeats(service.services, id)).done).toBe(true);
      await service.runDueTasksUntil(T0 + RECOVERY_GRACE);
      expect(await seatsIn(service, id)).toStrictEqual({
        booking: ["10A", "10B"],
        flight: ["10A", "10B"],
        change: null,
      });
    },
  );

  test.each([
    ["seats:reserved", []],
    ["seats:decided", ["10A", "10B"]],
  ])("at %s: what is left is dropped or kept, and in time it is seated all the same", async (point, before) => {
    const { service, id } = await diedAt(point);
    await service.runDueTasksUntil(T0 + RECOVERY_GRACE + MINUTE);
    expect(await seatsIn(service, id)).toStrictEqual({ booking: before, flight: before, change: null });
    await service.runDueTasksUntil(DEPARTS_AT - DAY);
    expect((await seatsIn(service, id)).booking).toStrictEqual(["10A", "10B"]);
  });
});
