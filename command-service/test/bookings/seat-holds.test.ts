import { describe, expect, test } from "@jest/globals";
import { MINUTE } from "@travel-booking/domain";
import { holdIdOf } from "@travel-booking/runtime";
import { ADA, BOB, DEPARTS_AT, FLIGHT, party, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

const refusal = (status: 404 | 409 | 422, message: string) => ({
  status,
  body: {
    statusCode: status,
    message,
    error: { 404: "Not Found", 409: "Conflict", 422: "Unprocessable Entity" }[status],
  },
});

describe("holding seats", () => {
  test("holds all of them for fifteen minutes", async () => {
    const service = await Service.start();
    const commandId = service.systems.ids.next();
    const holdId = holdIdOf(commandId);
    const answer = await service.hold(["10A", "10B"], { repeatedCommandId: commandId });
    const of = { holdId, accountId: ADA, cabin: "economy", seats: ["10A", "10B"] };
    const held = { ...of, expiresAt: T0 + 15 * MINUTE, fareAmount: 100_000 };
    expect(await service.systems.newEvents()).toStrictEqual([
      { stream: `flight-${FLIGHT}`, type: "SeatsHeld", data: held },
    ]);
    expect(answer).toStrictEqual({
      status: 201,
      body: {
        id: holdId,
        flightId: FLIGHT,
        cabin: "economy",
        seats: ["10A", "10B"],
        status: "active",
        createdAt: new Date(T0).toISOString(),
        expiresAt: new Date(T0 + 15 * MINUTE).toISOString(),
      },
    });
  });

  test.each<readonly [string, readonly string[], ReturnType<typeof refusal>]>([
    ["held", ["10A", "10B"], refusal(409, "seat is already held: 10B")],
    ["booked", ["10A", "11B"], refusal(409, "seat is taken: 11B")],
    ["blocked", ["12B"], refusal(409, "seat is not for sale: 12B")],
    ["unknown", ["10A", "99Z"], refusal(422, "no such seat on this flight: 99Z")],
    ["in two cabins", ["10A", "1A"], refusal(422, "the seats are not all in one cabin: 10A, 1A")],
  ])("a seat that is %s: none is held", async (_, seats, answer) => {
    const service = await Service.start();
    await service.hold(["10B"], { accountId: BOB });
    await service.book({ passengers: party(1), seats: ["11B"] }, { accountId: BOB });
    await service.systems.newEvents();
    expect(await service.hold(seats)).toStrictEqual(answer);
    expect(await service.systems.newEvents()).toStrictEqual([]);
  });

  test("an unknown flight: 404; a departed one: 409", async () => {
    const service = await Service.start();
    expect(await service.hold(["10A"], { flightId: "KP999" })).toStrictEqual(refusal(404, "no flight with this id"));
    service.systems.clock.set(DEPARTS_AT);
    expect(await service.hold(["10A"])).toStrictEqual(refusal(409, "the flight has departed"));
  });
});

describe("releasing a hold", () => {
  async function held() {
    const service = await Service.start();
    const { body: hold } = await service.hold(["10A"]);
    await service.systems.newEvents();
    return { service, disk: service.systems, hold };
  }

  test("frees its seats at once", async () => {
    const { service, disk, hold } = await held();
    expect(await service.release(hold.id)).toStrictEqual({ status: 204, body: undefined });
    expect(await disk.newEvents()).toStrictEqual([
      { stream: `flight-${FLIGHT}`, type: "SeatHoldReleased", data: { holdId: hold.id } },
    ]);
    expect((await service.hold(["10A"], { accountId: BOB })).status).toBe(201);
  });

  test("a second time, used, or past its time: 409", async () => {
    const twice = await held();
    await twice.service.release(twice.hold.id);
    expect(await twice.service.release(twice.hold.id)).toStrictEqual(refusal(409, "the seat hold was released"));
    const used = await held();
    await used.service.book({ passengers: party(1), holdId: used.hold.id });
    expect(await used.service.release(used.hold.id)).toStrictEqual(refusal(409, "the seat hold was used on a booking"));
    const late = await held();
    late.disk.clock.advance(15 * MINUTE);
    expect(await late.service.release(late.hold.id)).toStrictEqual(refusal(409, "the seat hold has expired"));
    expect(await late.disk.newEventTypes()).toStrictEqual(["SeatHoldExpired"]);
  });

  test("an unknown hold and another account's: 404", async () => {
    const { service, hold } = await held();
    const unknown = refusal(404, "no seat hold with this id");
    expect(await service.release("hld_none")).toStrictEqual(unknown);
    expect(await service.release(hold.id, { accountId: BOB })).toStrictEqual(unknown);
  });
});
