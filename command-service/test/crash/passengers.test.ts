import { describe, expect, test } from "@jest/globals";
import { RECOVERY_GRACE } from "@travel-booking/domain";
import { ADA_EMAIL, change, EVE_EMAIL, passengerSnapshot, save } from "../passengers/passenger-calls.ts";
import { ProcessCrashed } from "../support/crashable.ts";
import { T0 } from "../support/sample.ts";
import { ExternalSystems, Service } from "../support/service.ts";

/** Every profile has one claim, every claim a profile, and no task is open. */
async function expectSettled(disk: ExternalSystems, passengers: number): Promise<void> {
  const { profiles, claims } = await passengerSnapshot(disk);
  expect(profiles.size).toBe(passengers);
  expect(claims).toStrictEqual(new Map([...profiles.keys()].map((id) => [id, 1])));
  expect(await disk.openDueTasks()).toStrictEqual([]);
}

describe("a process that dies while it saves a passenger", () => {
  async function diesAt(point: string) {
    const disk = new ExternalSystems();
    const repeats = disk.ids.next();
    await expect(save(new Service(disk, point), {}, { repeatedCommandId: repeats })).rejects.toThrow(ProcessCrashed);
    return { disk, next: new Service(disk), repeats };
  }

  test("before the profile: its address is free once nobody can create it any more", async () => {
    const { disk, next, repeats } = await diesAt("passenger:claimed");
    await next.runDueTasksUntil(T0 + RECOVERY_GRACE - 1);
    expect((await save(next)).status).toBe(409);
    await next.runDueTasksUntil(T0 + RECOVERY_GRACE);
    await expectSettled(disk, 0);
    expect((await save(next, {}, { repeatedCommandId: repeats })).status).toBe(409);
    expect((await save(next)).status).toBe(201);
    expect((await save(next, {}, { repeatedCommandId: repeats })).status).toBe(409);
    await expectSettled(disk, 1);
  });

  test("while its claim is given up: that is gone on with", async () => {
    const { disk } = await diesAt("passenger:claimed");
    for (const point of ["passenger:closed", "passenger:released"]) {
      await expect(new Service(disk, point).runDueTasksUntil(T0 + RECOVERY_GRACE)).rejects.toThrow(ProcessCrashed);
    }
    await new Service(disk).runDueTasksUntil(T0 + RECOVERY_GRACE);
    await expectSettled(disk, 0);
  });
});

describe("a process that dies while it changes an address", () => {
  async function diesAt(point: string) {
    const disk = new ExternalSystems();
    const { id } = (await save(new Service(disk))).body;
    const repeats = disk.ids.next();
    const dying = change(new Service(disk, point), id, { email: EVE_EMAIL }, { repeatedCommandId: repeats });
    await expect(dying).rejects.toThrow(ProcessCrashed);
    const next = new Service(disk);
    return { disk, id, next, retry: () => change(next, id, { email: EVE_EMAIL }, { repeatedCommandId: repeats }) };
  }
  const POINTS = ["passenger:claimed", "passenger:changed", "passenger:released"];

  test.each(POINTS)("at %s: nobody asking again, one address is its own and the other free", async (point) => {
    const { disk, id, next } = await diesAt(point);
    await next.runDueTasksUntil(T0 + RECOVERY_GRACE);
    await expectSettled(disk, 1);
    const email = (await passengerSnapshot(disk)).profiles.get(id)?.email;
    expect(email).toBe(point === "passenger:claimed" ? ADA_EMAIL : EVE_EMAIL);
    expect((await save(next, { email: ADA_EMAIL })).status).toBe(email === ADA_EMAIL ? 409 : 201);
    expect((await save(next, { email: EVE_EMAIL })).status).toBe(email === EVE_EMAIL ? 409 : 201);
  });

  test("before the profile decided: a retry that comes too late is told so, and takes nothing", async () => {
    const { disk, next, retry } = await diesAt("passenger:claimed");
    await next.runDueTasksUntil(T0 + RECOVERY_GRACE);
    expect((await retry()).status).toBe(409);
    await expectSettled(disk, 1);
    expect((await save(next, { email: EVE_EMAIL })).status).toBe(201);
    expect((await retry()).status).toBe(409);
    await expectSettled(disk, 2);
  });
});
