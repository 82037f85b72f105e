import { describe, expect, test } from "@jest/globals";
import { RECOVERY_GRACE } from "@travel-booking/domain";
import { findProfileByEmail } from "../../src/passengers/email-claims.ts";
import { ADA, T0 } from "../support/sample.ts";
import { ExternalSystems, Service } from "../support/service.ts";
import { ADA_EMAIL, change, EVE_EMAIL, passengerSnapshot, remove, save } from "./passenger-calls.ts";

const EVE = "acc_eve";
const NAMED = /^passengerEmail-acc_ada-[0-9a-f]{64}$/;

describe("saving a passenger", () => {
  test("claims its address, then creates it", async () => {
    const service = new Service(new ExternalSystems());
    const { status, body } = await save(service, { metadata: { a: "1" } });
    expect([status, body.email, body.metadata]).toStrictEqual([201, ADA_EMAIL, { a: "1" }]);
    const [claimed, created] = await service.systems.newEvents();
    expect([claimed?.stream, claimed?.type]).toStrictEqual([expect.stringMatching(NAMED), "EmailClaimed"]);
    expect([created?.stream, created?.type]).toStrictEqual([`passenger-${body.id}`, "PassengerCreated"]);
    expect(JSON.stringify(claimed).toLowerCase()).not.toContain(ADA_EMAIL.toLowerCase());
    expect(await service.systems.openDueTasks()).toStrictEqual([]);
  });

  test("with a taken address says so, and leaves nothing", async () => {
    const service = new Service(new ExternalSystems());
    await save(service);
    await service.systems.newEvents();
    const { status, body } = await save(service, { email: ADA_EMAIL.toUpperCase() });
    expect([status, (body as unknown as { message: string }).message]).toStrictEqual([
      409,
      "a passenger with this email exists",
    ]);
    expect(await service.systems.newEvents()).toStrictEqual([]);
    expect((await save(service, {}, { accountId: EVE })).status).toBe(201);
  });

  test("that can't be, claims nothing", async () => {
    const service = new Service(new ExternalSystems());
    expect((await save(service, { dateOfBirth: "2999-01-01" })).status).toBe(400);
    expect(await service.systems.newEvents()).toStrictEqual([]);
  });

  test("again under the same command is the same one, whatever became of it since", async () => {
    const service = new Service(new ExternalSystems());
    const asked = { repeatedCommandId: service.systems.ids.next() };
    const first = await save(service, {}, asked);
    expect(await save(service, {}, asked)).toStrictEqual(first);
    await change(service, first.body.id, { firstName: "Grace" });
    expect(await save(service, {}, asked)).toStrictEqual(first);
    await remove(service, first.body.id);
    await service.systems.newEvents();
    expect(await save(service, {}, asked)).toStrictEqual(first);
    expect(await service.systems.newEvents()).toStrictEqual([]);
    expect((await passengerSnapshot(service.systems)).claims).toStrictEqual(new Map());
  });
});

describe("changing a passenger", () => {
  test("to another address takes it over and frees the one before", async () => {
    const service = new Service(new ExternalSystems());
    const { id } = (await save(service)).body;
    await service.systems.newEvents();
    const { status, body } = await change(service, id, { email: EVE_EMAIL });
    expect([status, body.email]).toStrictEqual([200, EVE_EMAIL]);
    expect(await service.systems.newEventTypes()).toStrictEqual(["EmailClaimed", "PassengerChanged", "EmailReleased"]);
    expect(await service.systems.openDueTasks()).toStrictEqual([]);
    expect((await save(service)).status).toBe(201);
    expect((await change(service, id, { email: ADA_EMAIL })).status).toBe(409);
  });

  test("again under the same command is the same change, and undoes no later one", async () => {
    const service = new Service(new ExternalSystems());
    const { id } = (await save(service)).body;
    const asked = { repeatedCommandId: service.systems.ids.next() };
    await change(service, id, { email: EVE_EMAIL }, asked);
    await change(service, id, { email: "third@example.com" });
    await service.systems.newEvents();
    expect((await change(service, id, { email: EVE_EMAIL }, asked)).body.email).toBe("third@example.com");
    await remove(service, id);
    expect((await change(service, id, { email: EVE_EMAIL }, asked)).status).toBe(404);
    expect(await service.systems.newEventTypes()).toStrictEqual(["PassengerDeleted", "EmailReleased"]);
  });

  test("to one new address by several at once leaves one claim on it", async () => {
    const service = new Service(new ExternalSystems());
    const { id } = (await save(service)).body;
    const spellings = [EVE_EMAIL, EVE_EMAIL.toUpperCase(), EVE_EMAIL];
    const answers = await Promise.all(spellings.map((email) => change(service, id, { email })));
    expect(answers.map(({ status }) => status)).toStrictEqual([200, 200, 200]);
    expect((await passengerSnapshot(service.systems)).claims).toStrictEqual(new Map([[id, 1]]));
    expect((await save(service)).status).toBe(201);
  });
});

describe("a claim nobody has taken over yet", () => {
  /** A request that has claimed and goes no further until it is let go. */
  async function waitingAfterItsClaim() {
    const disk = new ExternalSystems();
    const other = new Service(disk);
    let meanwhile: Promise<unknown> = Promise.resolve();
    return {
      disk,
      other,
      slow: (then: () => Promise<unknown>) => {
        let waits = true;
        return new Service(disk, (point) => {
          if (point !== "passenger:claimed" || !waits) return;
          waits = false;
          meanwhile = then();
        });
      },
      settled: () => meanwhile,
    };
  }

  test("keeps others from the address, who may ask again", async () => {
    const { other, slow, settled } = await waitingAfterItsClaim();
    let refused: unknown;
    const first = await save(
      slow(async () => {
        refused = await save(other);
      }),
    );
    await settled();
    expect(first.status).toBe(201);
    expect(refused).toMatchObject({ status: 409 });
  });

  test("is given up when its profile is late, which then does not come into being", async () => {
    const { disk, other, slow, settled } = await waitingAfterItsClaim();
    const { status } = await save(slow(() => other.runDueTasksUntil(T0 + RECOVERY_GRACE)));
    await settled();
    const { profiles, claims } = await passengerSnapshot(disk);
    // Whoever came first at the profile's stream has won; never both.
    expect([profiles.size, claims.size]).toStrictEqual(status === 201 ? [1, 1] : [0, 0]);
    expect(await disk.openDueTasks()).toStrictEqual([]);
  });
});

test("a profile is found by its address, whatever its case, while it has it", async () => {
  const service = new Service(new ExternalSystems());
  expect(await findProfileByEmail(service.services, ADA, ADA_EMAIL)).toBeUndefined();
  const { id } = (await save(service, { preferences: { seat: "aisle", meal: "vegan", cryosleep: true } })).body;
  const found = await findProfileByEmail(service.services, ADA, ADA_EMAIL.toUpperCase());
  expect([found?.id, found?.email, found?.preferences.seat]).toStrictEqual([id, ADA_EMAIL, "aisle"]);
  expect(await findProfileByEmail(service.services, EVE, ADA_EMAIL)).toBeUndefined();
  await change(service, id, { email: EVE_EMAIL });
  expect(await findProfileByEmail(service.services, ADA, ADA_EMAIL)).toBeUndefined();
  expect((await findProfileByEmail(service.services, ADA, EVE_EMAIL))?.id).toBe(id);
  await remove(service, id);
  expect(await findProfileByEmail(service.services, ADA, EVE_EMAIL)).toBeUndefined();
});
