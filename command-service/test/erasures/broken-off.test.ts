import { setImmediate } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { bookingBody } from "@travel-booking/api-contract/bodies";
import { bookingDecider, type DomainEvent, type ExistingBooking, fold, SECOND } from "@travel-booking/domain";
import { AppendRefused } from "@travel-booking/engines/event-store";
import { OperatorError, type OperatorRequest } from "@travel-booking/http/operator";
import { ACCOUNTS, BOOKINGS, PASSENGERS, timeSortKey } from "@travel-booking/read-models";
import { SealedEventStore } from "../../src/command-handling/sealed-event-store.ts";
import { Erasures } from "../../src/erasures/erasures.ts";
import { Retention } from "../../src/erasures/retention.ts";
import type { OperatorServices } from "../../src/operator/operator-services.ts";
import { personRoutes } from "../../src/operator/persons.ts";
import { ADA, SOON, soonPlan, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

/** An erasure that breaks off (docs/privacy.md#erasing). */

const EMAIL = "ada@example.com";
const PARTY = ["Ada", "Augusta"].map((name) => ({ name, email: EMAIL }));

const NOTHING_KEPT_FOR = { bookings: undefined, documents: undefined, passengers: undefined };

const cancel = (service: Service, id: string) => service.cancel(id);

/** A booking of two with one address that is over, and a disk on which the file of keys may have no room. */
async function bookingThatIsOver(end: (service: Service, id: string) => Promise<unknown> = cancel) {
  const points: string[] = [];
  const waits: (readonly string[])[] = [];
  const disk = { isFull: true, breaksAt: "", breaks: Number.POSITIVE_INFINITY, asked: (): unknown => undefined };
  const service = await Service.start((point) => {
    if (!point.startsWith("erasure:")) return;
    points.push(point.slice("erasure:".length));
    if (point === disk.breaksAt && disk.breaks-- > 0) throw new Error("broken off");
  });
  const { systems } = service;
  const { id } = (await service.book({ flightId: SOON, passengers: PARTY })).body;
  await end(service, id);
  const events = async () => (await systems.log()).filter(({ stream }) => stream === `booking-${id}`);
  const erased = async () => (await events()).map(({ type }) => type).filter((type) => type.endsWith("Erased"));
  const json = async () => {
    const booking = fold(bookingDecider, (await events()) as unknown as DomainEvent[] as never) as ExistingBooking;
    return JSON.stringify([ADA, bookingBody(booking)]);
  };
  const lists: Readonly<Record<string, () => Promise<readonly unknown[]>>> = {
    [ACCOUNTS.account.model]: async () => [{ key: ADA, sort: "" }],
    [PASSENGERS.passenger.model]: async () => [],
    [BOOKINGS.booking.model]: async () => [{ key: id, sort: "", json: await json() }],
    [BOOKINGS.over.model]: async () =>
      (await erased()).includes("BookingErased") ? [] : [{ key: id, sort: timeSortKey(T0, id) }],
  };
  const services = {
    ...service.services,
    store: new SealedEventStore(systems.store, service.services.words),
    state: systems.state,
    async waitUntilProjected(_: bigint, projections: readonly string[] = ["all"]) {
      waits.push(projections);
    },
    models: { page: (model: string) => lists[model]?.() },
    async removeTracesOfKeys() {
      disk.asked();
      if (disk.isFull) throw new OperatorError(503, "no room");
      return "";
    },
  } as unknown as OperatorServices;
  const erasures = new Erasures(services);
  const ended = async () => (await erasures.list()).map(({ erasedAt }) => erasedAt !== null);
  const context = {
    accountId: null,
    actor: { kind: "operator", id: "op" },
    requestId: null,
    causationId: null,
    attempt: { repeated: false, mayHaveActed: false },
  } as const;
  const erase = (passenger: number, name?: string) =>
    erasures.erase({ kind: "booking", id, passenger }, { ...context, commandId: services.ids.next() }, name);
  return { id, service, systems, services, disk, points, waits, erasures, erase, erased, ended };
}

test("a person is forgotten on every place of a booking, also where a repetition finds fewer", async () => {
  const { id, services, disk, erasures, erased, ended } = await bookingThatIsOver();
  const route = personRoutes(services, erasures).find(({ path }) => path === "/operator/persons/erase");
  const erase = (repeated: boolean) => {
    if (route === undefined || !("answer" in route)) throw new Error("no route");
    const command = { commandId: "0".repeat(32), repeated };
    const closed = new AbortController().signal;
    return route.answer({ body: { email: EMAIL }, command, closed, operator: "op" } as unknown as OperatorRequest);
  };
  await expect(erase(false)).rejects.toThrow("no room");
  expect([await erased(), await ended()]).toStrictEqual([["BookingPassengerErased"], [false]]);
  await expect(erase(true)).rejects.toThrow("no room");
  disk.isFull = false;
  const data = [{ kind: "booking", id, passenger: 1, status: "erased", reason: null }];
  expect(await erase(true)).toStrictEqual({ data });
  expect(await erased()).toStrictEqual(["BookingPassengerErased", "BookingPassengerErased"]);
  expect(await ended()).toStrictEqual([true, true]);
});

test("a look of the retention finishes what one before left, when it may", async () => {
  const { services, systems, disk, waits, erasures, erased, ended } = await bookingThatIsOver();
  const retention = new Retention({
    services,
    erasures,
    keptFor: { ...NOTHING_KEPT_FOR, bookings: 1 },
  });
  await retention.runDue();
  systems.clock.set(T0 + 86_402 * SECOND);
  const look = async (isFull: boolean, mayBegin: boolean) => {
    const controller = new AbortController();
    Object.assign(disk, { isFull, asked: () => controller.abort() });
    const asked = () => {
      if (!mayBegin) controller.abort();
      return mayBegin;
    };
    await retention.runUntil(asked, controller.signal);
  };
  await look(false, false);
  expect(await erased()).toStrictEqual([]);
  await look(true, true);
  expect([await erased(), await ended()]).toStrictEqual([["BookingErased"], [false]]);
  await look(false, false);
  expect(await ended()).toStrictEqual([false]);
  await look(false, true);
  expect([await erased(), await ended()]).toStrictEqual([["BookingErased"], [true]]);
  // A projection that is behind, and not needed, holds up nothing.
  expect(new Set(waits.flat())).toStrictEqual(new Set(["bookings"]));
});

test("two erasures of one booking take turns; who has another name is never on the list", async () => {
  const { disk, points, erase } = await bookingThatIsOver();
  disk.isFull = false;
  expect([await erase(0, "Augusta"), points]).toStrictEqual([
    expect.objectContaining({ code: "passenger_differs" }),
    [],
  ]);
  await Promise.all([erase(0, "Ada"), erase(1)]);
  const one = ["begun", "recorded", "files", "key"];
  expect(points).toStrictEqual([...one, ...one]);
});

test("one that can't be finished is passed over, stays on the list, and is tried again by the next look", async () => {
  const { services, disk, erasures, erase, ended } = await bookingThatIsOver();
  Object.assign(disk, { isFull: false, breaksAt: "erasure:recorded" });
  for (const passenger of [0, 1]) await expect(erase(passenger)).rejects.toThrow("broken off");
  disk.breaks = 1;
  await erasures.restore();
  expect([await ended(), erasures.hasPassedOver]).toStrictEqual([[false, true], true]);
  const controller = new AbortController();
  disk.asked = () => controller.abort();
  await new Retention({ services, erasures, keptFor: NOTHING_KEPT_FOR }).runUntil(() => true, controller.signal);
  expect([await ended(), erasures.hasPassedOver]).toStrictEqual([[true, true], false]);
});

test("nothing is erased while the stores are copied", async () => {
  const { disk, points, erasures, erase } = await bookingThatIsOver();
  disk.isFull = false;
  const seen: (readonly string[])[] = [];
  const copied = erasures.whileNothingIsErased(async () => {
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    seen.push([...points]);
  });
  await Promise.all([copied, erase(0)]);
  expect([seen, points]).toStrictEqual([[[]], ["begun", "recorded", "files", "key"]]);
});

test("what is left of the others is too large for the log: it is refused, and not on the list", async () => {
  const { id, service, disk, erasures, erase, ended } = await bookingThatIsOver();
  disk.isFull = false;
  const { handler } = service.services;
  const { execute } = handler;
  handler.execute = async () => {
    throw new AppendRefused("too large");
  };
  expect([await erase(0), await ended()]).toStrictEqual([{ code: "request_too_large" }, []]);
  // An older copy, where it must not be called done.
  await erasures.restore([{ kind: "booking", id, passenger: 0 }]);
  expect([await ended(), erasures.hasPassedOver]).toStrictEqual([[false], true]);
  handler.execute = execute;
});

test.each([
  ["the named one has it still", PARTY, ["BookingPassengerErased"]],
  ["it is somebody else's by then", PARTY.toReversed(), []],
])("one that breaks off before its event is finished: the place, where %s", async (_, passengers, events) => {
  const flown = async (service: Service, id: string) => {
    await service.pay(id);
    service.systems.clock.set(soonPlan.departsAt);
  };
  const { id, service, systems, disk, erasures, erase, erased } = await bookingThatIsOver(flown);
  Object.assign(disk, { isFull: false, breaksAt: "erasure:begun" });
  await expect(erase(0, "Ada")).rejects.toThrow("broken off");
  expect(JSON.stringify(await systems.state.list("erasures", { limit: 9 }))).not.toContain("Ada");
  disk.breaksAt = "";
  expect((await service.change(id, { passengers })).status).toBe(200);
  await erasures.restore();
  expect(await erased()).toStrictEqual(events);
  const left = events.map(() => ({ kind: "booking", id, passenger: 0, erasedAt: soonPlan.departsAt }));
  expect(await erasures.list()).toStrictEqual(left);
});
