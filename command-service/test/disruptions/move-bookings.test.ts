import { describe, expect, test } from "@jest/globals";
import type { DisruptionBody } from "@travel-booking/api-contract";
import { caseIdOf, DAY, MINUTE } from "@travel-booking/domain";
import { ProcessCrashed } from "../support/crashable.ts";
import { checkMoney, endState } from "../support/end-state.ts";
import { DEPARTS_AT, FLIGHT, party, plan, T0 } from "../support/sample.ts";
import { type ExternalSystems, Service } from "../support/service.ts";

const NEXT = "KP444";
const LAST = "KP445";
const POINTS = ["move:allocated", "move:decided", "move:finished", "disrupt:followed"] as const;

/** Two more flights there, a day and a week later. */
async function withOthers(at?: string): Promise<Service> {
  const service = await Service.start(at);
  await service.schedule({ ...plan, flightId: NEXT, departsAt: DEPARTS_AT + DAY });
  await service.schedule({ ...plan, flightId: LAST, departsAt: DEPARTS_AT + 7 * DAY });
  return service;
}

/** A booking of this size that was paid at this moment. */
async function paid(service: Service, size: number, seats?: readonly string[], flightId = FLIGHT): Promise<string> {
  const { body } = await service.book({ flightId, passengers: party(size), ...(seats && { seats }) });
  expect((await service.pay(body.id)).status).toBe(201);
  service.systems.clock.set(service.systems.clock.now() + 1);
  return body.id;
}

/** Who has how many places on a flight, and which seats. */
async function onBoard(disk: ExternalSystems, flightId: string) {
  const { occupants } = await endState(disk, flightId);
  return occupants.map(({ bookingId, passengers, seats }) => [bookingId, passengers, seats]);
}

async function finish(disk: ExternalSystems, service = new Service(disk)): Promise<void> {
  await service.runDueTasksUntil(T0 + 5 * MINUTE);
  // Who was moved may still answer.
  const left = (await disk.openDueTasks()).map(({ kind }) => kind);
  expect(left.filter((kind) => !["earn_points", "assign_seats", "end_silence"].includes(kind))).toStrictEqual([]);
  await checkMoney(disk);
}

const moving = { policy: "move", into: [NEXT, LAST] } as const;

describe("bookings of a cancelled flight that move to others", () => {
  test("keep their seats where they can, and leave their flight empty", async () => {
    const service = await withOthers();
    const disk = service.systems;
    const [first, second] = [await paid(service, 2, ["10A", "10B"]), await paid(service, 1)];
    const { body: unpaid } = await service.book({ passengers: party(1) });
    await service.cancelFlight(moving);
    await finish(disk, service);
    expect(await onBoard(disk, FLIGHT)).toStrictEqual([]);
    expect(await onBoard(disk, NEXT)).toStrictEqual([
      [first, 2, ["10A", "10B"]],
      [second, 1, []],
    ]);
    expect((await service.change(unpaid.id, { reference: "x" })).status).toBe(409);
    expect((await endState(disk)).bookings.map(({ status }) => status)).toStrictEqual([
      "confirmed",
      "confirmed",
      "cancelled",
    ]);
  });

  test("a party is never split: who does not fit as a whole goes on to the next flight", async () => {
    const service = await withOthers();
    const disk = service.systems;
    await paid(service, 2, undefined, NEXT);
    const [two, three] = [await paid(service, 2), await paid(service, 3)];
    await service.cancelFlight(moving);
    await finish(disk, service);
    expect((await onBoard(disk, NEXT)).slice(1)).toStrictEqual([[two, 2, []]]);
    expect(await onBoard(disk, LAST)).toStrictEqual([[three, 3, []]]);
  });

  test("two movers to one last seat: the earlier paid one has it, the other gets the money back", async () => {
    const service = await withOthers();
    const disk = service.systems;
    await paid(service, 4, undefined, NEXT);
    const [early, late] = [await paid(service, 1), await paid(service, 1)];
    await service.cancelFlight({ policy: "move", into: [NEXT] });
    await finish(disk, service);
    expect((await onBoard(disk, NEXT)).slice(1)).toStrictEqual([[early, 1, []]]);
    const { body } = await service.change(late, { reference: "x" });
    expect(body).toMatchObject({ message: "the flight is cancelled" });
    expect((await endState(disk)).bookings.map(({ refunds }) => refunds)).toStrictEqual([
      [],
      [],
      [{ amount: 100_000, status: "succeeded" }],
    ]);
  });

  test("who comes before the sweep does not jump the queue", async () => {
    const service = await withOthers();
    const disk = service.systems;
    await paid(service, 4, undefined, NEXT);
    const [early, late] = [await paid(service, 1), await paid(service, 1)];
    await service.cancelFlight({ policy: "move", into: [NEXT] });
    expect((await service.change(late, { seats: ["10A"] })).status).toBe(409);
    await finish(disk, service);
    expect((await onBoard(disk, NEXT)).slice(1)).toStrictEqual([[early, 1, []]]);
  });

  test.each(POINTS)("the process killed at %s, again and again: each has one place", async (point) => {
    const { systems: disk } = await withOthers();
    const service = new Service(disk);
    const ids = [await paid(service, 2, ["11A", "11B"]), await paid(service, 1), await paid(service, 1)];
    await service.cancelFlight(moving);
    for (let life = 0; life < 3; life += 1) {
      const dying = new Service(disk, point);
      await dying.runDueTasksUntil(T0 + 1_000).catch((error: unknown) => expect(error).toBeInstanceOf(ProcessCrashed));
    }
    await finish(disk);
    expect(await onBoard(disk, FLIGHT)).toStrictEqual([]);
    expect((await onBoard(disk, NEXT)).map(([id]) => id).sort()).toStrictEqual([...ids].sort());
    expect(await onBoard(disk, LAST)).toStrictEqual([]);
    const moves = (await disk.log()).filter(({ type }) => type === "BookingMoved");
    expect(moves).toHaveLength(3);
  });

  test("two processes sweep at once", async () => {
    const { systems: disk } = await withOthers();
    const [one, other] = [new Service(disk, undefined, "one"), new Service(disk, undefined, "other")];
    const ids = [await paid(one, 2), await paid(one, 1), await paid(one, 1)];
    await one.cancelFlight(moving);
    const sweeps = (await disk.openDueTasks()).filter(({ kind }) => kind === "sweep_disruption");
    await Promise.all([one.runTasks(sweeps), other.runTasks(sweeps)]);
    await finish(disk);
    expect((await onBoard(disk, NEXT)).map(([id]) => id).sort()).toStrictEqual([...ids].sort());
    expect(await onBoard(disk, FLIGHT)).toStrictEqual([]);
  });
});

describe("a client who answers", () => {
  const answer = (service: Service, bookingId: string, word: string, body: object) =>
    service.call<DisruptionBody>(`${word}Disruption`, { id: caseIdOf(bookingId, 1) }, body);

  /** A booking that may choose, and has followed. */
  async function choosing(policy: "offer" | "move", into?: readonly string[]) {
    const service = await withOthers();
    const bookingId = await paid(service, 1, ["11A"]);
    await service.cancelFlight({ policy, ...(into && { into }) });
    await service.runDueTasksUntil(T0 + 1_000);
    return { service, disk: service.systems, bookingId };
  }

  test("rebooks, with the seats of a hold; again it is the same", async () => {
    const { service, disk, bookingId } = await choosing("offer");
    const { body: hold } = await service.hold(["11B"], { flightId: LAST });
    const asked = { revision: 1, flightId: LAST, holdId: hold.id };
    const { status, body } = await answer(service, bookingId, "rebook", asked);
    expect([status, body.outcome, body.after?.flightId, body.after?.seats]).toStrictEqual([
      200,
      "rebooked",
      LAST,
      ["11B"],
    ]);
    expect(await answer(service, bookingId, "rebook", asked)).toStrictEqual({ status, body });
    expect((await answer(service, bookingId, "rebook", { ...asked, flightId: NEXT })).status).toBe(409);
    await finish(disk, service);
    expect(await onBoard(disk, FLIGHT)).toStrictEqual([]);
    expect(await onBoard(disk, LAST)).toStrictEqual([[bookingId, 1, ["11B"]]]);
  });

  test.each([
    ["elsewhere in time", { flightId: "FAR" }, 422],
    ["its own flight", { flightId: FLIGHT }, 422],
    ["no flight", { flightId: "NONE" }, 404],
    ["an old revision", { flightId: NEXT, revision: 2 }, 409],
    ["a seat there is not", { flightId: NEXT, seats: ["99A"] }, 422],
  ])("is refused for %s, and nothing is left on the way", async (_, about, expected) => {
    const { service, disk, bookingId } = await choosing("offer");
    await service.schedule({ ...plan, flightId: "FAR", departsAt: DEPARTS_AT + 15 * DAY });
    expect((await answer(service, bookingId, "rebook", { revision: 1, ...about })).status).toBe(expected);
    expect(await onBoard(disk, FLIGHT)).toStrictEqual([[bookingId, 1, ["11A"]]]);
  });

  test("accepts what is offered, and is moved by that", async () => {
    const { service, disk, bookingId } = await choosing("offer", [NEXT]);
    const { status, body } = await answer(service, bookingId, "accept", { revision: 2 });
    expect([status, body.outcome, body.after?.flightId]).toStrictEqual([200, "accepted", NEXT]);
    await finish(disk, service);
    expect(await onBoard(disk, NEXT)).toStrictEqual([[bookingId, 1, ["11A"]]]);
    expect(await onBoard(disk, FLIGHT)).toStrictEqual([]);
  });

  test("moves on to another flight after having been moved", async () => {
    const { service, disk, bookingId } = await choosing("move", [NEXT]);
    const { status, body } = await answer(service, bookingId, "rebook", { revision: 2, flightId: LAST });
    expect([status, body.outcome]).toStrictEqual([200, "rebooked"]);
    await finish(disk, service);
    expect([await onBoard(disk, FLIGHT), await onBoard(disk, NEXT)]).toStrictEqual([[], []]);
    expect(await onBoard(disk, LAST)).toStrictEqual([[bookingId, 1, ["11A"]]]);
  });

  test.each(["move:allocated", "move:decided", "move:finished"])(
    "killed at %s, the request is repeated",
    async (point) => {
      const { disk, bookingId } = await choosing("offer");
      const asked = { revision: 1, flightId: NEXT };
      const commandId = disk.ids.next();
      const call = (service: Service, repeatedCommandId?: string) =>
        service.call<DisruptionBody>("rebookDisruption", { id: caseIdOf(bookingId, 1) }, asked, {
          ...(repeatedCommandId && { repeatedCommandId }),
        });
      await expect(call(new Service(disk, point), commandId)).rejects.toThrow(ProcessCrashed);
      const { status, body } = await call(new Service(disk), commandId);
      expect([status, body.outcome]).toStrictEqual([200, "rebooked"]);
      await finish(disk);
      expect(await onBoard(disk, NEXT)).toStrictEqual([[bookingId, 1, ["11A"]]]);
      expect(await onBoard(disk, FLIGHT)).toStrictEqual([]);
    },
  );

  test("killed and never repeated, a rebooking that was not decided is undone", async () => {
    const { disk, bookingId } = await choosing("offer");
    const dying = new Service(disk, "move:allocated");
    await expect(answer(dying, bookingId, "rebook", { revision: 1, flightId: NEXT })).rejects.toThrow(ProcessCrashed);
    await finish(disk);
    expect(await onBoard(disk, NEXT)).toStrictEqual([]);
    expect(await onBoard(disk, FLIGHT)).toStrictEqual([[bookingId, 1, ["11A"]]]);
  });
});
