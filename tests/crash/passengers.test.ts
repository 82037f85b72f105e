import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { PassengerProfileBody } from "@travel-booking/api-contract";
import type { ApiClient, ApiClientResponse } from "../support/api-client.ts";
import { CrashableService } from "./support/crashable-service.ts";

const PATH = "/v1/passengers";

let addresses = 0;
const newEmail = () => {
  addresses += 1;
  return `traveller.${addresses}@example.com`;
};

/** One data folder for all of it: what earlier cases left must still be there as well. */
describe("killed between two steps of a passenger's life", () => {
  let mortal: CrashableService;
  beforeAll(async () => {
    mortal = await CrashableService.start();
  });
  afterAll(() => mortal.discard());

  const api = () => mortal.api;
  const save = (client: ApiClient, email: string, headers = {}): Promise<ApiClientResponse<PassengerProfileBody>> => {
    const body = { firstName: "Ada", lastName: "Lovelace", email, dateOfBirth: "1985-12-10", nationality: "GB" };
    return client.post<PassengerProfileBody>(PATH, body, headers);
  };
  const move = (client: ApiClient, id: string, email: string, headers = {}) =>
    client.patch<PassengerProfileBody>(`${PATH}/${id}`, { email }, headers);
  const remove = (client: ApiClient, id: string) => client.call("DELETE", `${PATH}/${id}`);
  const listed = async () =>
    (await api().get<{ readonly data: readonly PassengerProfileBody[] }>(`${PATH}?limit=100`)).body.data;
  const idsWith = async (email: string) =>
    (await api().get<{ readonly data: readonly PassengerProfileBody[] }>(`${PATH}?email=${email}`)).body.data.map(
      ({ id }) => id,
    );

  /** The list has no address twice, and each that is listed, and no other of these, is taken. */
  async function expectTaken(...emails: readonly string[]): Promise<void> {
    const taken = (await listed()).map(({ email }) => email);
    expect(new Set(taken).size).toBe(taken.length);
    for (const email of emails) {
      const answer = await save(api(), email);
      expect(answer.status).toBe(taken.includes(email) ? 409 : 201);
      if (answer.status === 201) expect((await remove(api(), answer.body.id)).status).toBe(204);
    }
  }

  describe.each(["passenger:claimed", "passenger:created"])("save, at %s", (point) => {
    test("the same request again is the same passenger, once", async () => {
      const email = newEmail();
      const key = { "Idempotency-Key": `save ${point}` };
      await mortal.crashDuring(point, (client) => save(client, email, key));
      const again = await save(api(), email, key);
      expect(again.status).toBe(201);
      await mortal.advancePastGracePeriods();
      expect(await idsWith(email)).toStrictEqual([again.body.id]);
      expect((await save(api(), email, key)).body).toStrictEqual(again.body);
      await expectTaken(email);
    });

    test("nobody asking again, it is there or its address is free", async () => {
      const email = newEmail();
      await mortal.crashDuring(point, (client) => save(client, email));
      await mortal.advancePastGracePeriods();
      expect((await idsWith(email)).length).toBe(point === "passenger:created" ? 1 : 0);
      await expectTaken(email);
    });
  });

  describe.each(["passenger:claimed", "passenger:changed", "passenger:released"])("another address, at %s", (point) => {
    test("the same request again is the same change", async () => {
      const [before, after] = [newEmail(), newEmail()];
      const { id } = (await save(api(), before)).body;
      const key = { "Idempotency-Key": `move ${point}` };
      await mortal.crashDuring(point, (client) => move(client, id, after, key));
      const again = await move(api(), id, after, key);
      expect([again.status, again.body.email]).toStrictEqual([200, after]);
      await expectTaken(before, after);
      await mortal.advancePastGracePeriods();
      expect(await idsWith(after)).toStrictEqual([id]);
    });

    test("nobody asking again, the passenger has one and the other is free", async () => {
      const [before, after] = [newEmail(), newEmail()];
      const { id } = (await save(api(), before)).body;
      await mortal.crashDuring(point, (client) => move(client, id, after));
      await mortal.advancePastGracePeriods();
      expect(await idsWith(point === "passenger:claimed" ? before : after)).toStrictEqual([id]);
      await expectTaken(before, after);
    });
  });

  test("delete, at passenger:deleted: it is gone and its address is free", async () => {
    const email = newEmail();
    const { id } = (await save(api(), email)).body;
    await mortal.crashDuring("passenger:deleted", (client) => remove(client, id));
    expect((await remove(api(), id)).status).toBe(404);
    await mortal.advancePastGracePeriods();
    expect(await idsWith(email)).toStrictEqual([]);
    await expectTaken(email);
  });

  test("the read model equals a rebuild from nothing", async () => {
    const before = await listed();
    expect(before.length).toBeGreaterThan(0);
    for (const name of ["passengers", "obligations"]) {
      expect((await mortal.service.operator("POST", `/projections/${name}/rebuild`)).status).toBe(200);
    }
    expect(await listed()).toStrictEqual(before);
  });
});
