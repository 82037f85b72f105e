import { describe, expect, test } from "@jest/globals";
import { MINUTE } from "@travel-booking/domain";
import { systemContext } from "../../src/command-handling/command.ts";
import { passengerStream } from "../../src/streams.ts";
import { change, remove, save } from "../passengers/passenger-calls.ts";
import { BOB, party, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

const NAMED = { name: "Ada Lovelace", email: "Ada@example.com" };
const messageOf = ({ status, body }: { readonly status: number; readonly body: unknown }) => [
  status,
  (body as { readonly message?: unknown }).message,
];

/** A service, and the id of a passenger whom Ada's account has saved. */
async function start(more: object = {}): Promise<{ service: Service; passengerId: string }> {
  const service = await Service.start();
  const { body } = await save(service, more);
  await service.systems.newEvents();
  return { service, passengerId: body.id };
}

describe("a saved passenger on a booking", () => {
  test("is named as it is saved at that moment, beside others", async () => {
    const { service, passengerId } = await start();
    const { status, body } = await service.book({ passengers: [...party(1), { passengerId }] });
    expect([status, body.passengers]).toStrictEqual([201, [...party(1), NAMED]]);
    const [allocated, made] = await service.systems.newEvents();
    expect([allocated?.type, made?.type]).toStrictEqual(["SeatsAllocated", "BookingCreated"]);
    expect(made?.data).toHaveProperty("passengerIds", [passengerId]);
    await change(service, passengerId, { firstName: "Countess" });
    expect((await service.change(body.id, { reference: "r" })).body.passengers).toStrictEqual([...party(1), NAMED]);
    expect((await service.book({ passengers: [{ passengerId }] })).body.passengers[0]?.name).toBe("Countess Lovelace");
  });

  test("404 where the account has none: unknown, another's, deleted or erased", async () => {
    const { service, passengerId } = await start();
    const { body: erased } = await save(service, { email: "erased@example.com" });
    await service.services.handler.execute({
      ...passengerStream(erased.id),
      command: { type: "ErasePassenger" },
      context: systemContext(service.services),
      reply: () => undefined,
    });
    const { body: deleted } = await save(service, { email: "deleted@example.com" });
    await remove(service, deleted.id);
    await service.systems.newEvents();
    const missing = [404, "no passenger with this id"];
    for (const each of ["psg_none", "x".repeat(255), erased.id, deleted.id]) {
      const answer = await service.book({ passengers: [{ passengerId }, { passengerId: each }] });
      expect(messageOf(answer)).toStrictEqual(missing);
    }
    expect(messageOf(await service.book({ passengers: [{ passengerId }] }, { accountId: BOB }))).toStrictEqual(missing);
    expect(await service.systems.newEvents()).toStrictEqual([]);
  });

  test.each<readonly [string, object, string]>([
    ["behind a missing flight", { flightId: "KP999" }, "no flight with this id"],
    ["behind a missing hold", { holdId: "hld_none" }, "no seat hold with this id"],
    ["before a cabin the flight does not have", { cabin: "first" }, "no passenger with this id"],
    ["before a blocked seat", { seats: ["12B"] }, "no passenger with this id"],
  ])("its 404 comes %s", async (_, body, message) => {
    const { service } = await start();
    const answer = await service.book({ passengers: [{ passengerId: "psg_none" }], ...body });
    expect(messageOf(answer)).toStrictEqual([404, message]);
  });

  test("a name that gets too long is named", async () => {
    const { service, passengerId } = await start({ firstName: "F".repeat(100), lastName: "L".repeat(100) });
    const answer = await service.book({ passengers: [...party(1), { passengerId }] });
    expect(messageOf(answer)).toStrictEqual([400, ["passengers[1].name must have at most 200 characters"]]);
    expect(await service.systems.newEvents()).toStrictEqual([]);
  });

  test("that is gone when the request is repeated: a booking that was made stays, one that was not is undone", async () => {
    const { service, passengerId } = await start();
    const asked = { repeatedCommandId: service.systems.ids.next() };
    const body = { passengers: [{ passengerId }], seats: ["10A"] };
    const made = await service.book(body, asked);
    const cutOff = { repeatedCommandId: service.systems.ids.next() };
    const other = { ...body, seats: ["10B"] };
    const dying = new Service(service.systems, "book:allocated");
    await expect(dying.book(other, cutOff)).rejects.toThrow();
    await remove(service, passengerId);
    await service.systems.newEvents();
    expect(await service.book(body, asked)).toStrictEqual(made);
    expect(await service.systems.newEvents()).toStrictEqual([]);
    expect((await service.book(other, cutOff)).status).toBe(404);
    await service.runDueTasksUntil(T0 + MINUTE);
    expect(await service.systems.newEventTypes()).toStrictEqual(["BookingAbandoned", "AllocationReleased"]);
  });
});
