import { describe, expect, test } from "@jest/globals";
import type { ReadModels } from "@travel-booking/engines/read-store";
import type { CredentialRecord } from "../src/credentials.ts";
import { ACCOUNTS, credentialBody, credentialDirectory } from "../src/index.ts";

const RECORD: CredentialRecord = {
  accountId: "acc_1",
  credentialId: "crd_1",
  accountActive: true,
  credentialActive: true,
  scopes: new Set(["flights:read", "bookings:write"]),
  apiVersion: "2026-11-01",
  secretHash: "the-hash",
};

/** Bodies by model and key; each read answers fresh bytes, as an engine does. */
function storing(bodies: Record<string, string>): ReadModels {
  const unused = () => Promise.reject(new Error("one look-up is enough"));
  return {
    async body(model, key) {
      const json = bodies[`${model}/${key}`];
      return json === undefined ? undefined : { json, staleAt: null };
    },
    document: unused,
    page: unused,
    count: unused,
    refresh: () => undefined,
  };
}

describe("credentials in the read model", () => {
  test("are found as they were stored, each in its own model", async () => {
    const directory = credentialDirectory(
      storing({
        [`${ACCOUNTS.apiKey.model}/the-hash`]: credentialBody(RECORD),
        [`${ACCOUNTS.client.model}/client-1`]: credentialBody({ ...RECORD, credentialId: "crd_2" }),
      }),
    );
    expect(await directory.byApiKeyHash("the-hash")).toStrictEqual(RECORD);
    expect(await directory.byClientId("client-1")).toStrictEqual({ ...RECORD, credentialId: "crd_2" });
    expect(await directory.byClientId("the-hash")).toBeUndefined();
    expect(await directory.byApiKeyHash("client-1")).toBeUndefined();
  });

  test("are read each time where nobody counts changes", async () => {
    const bodies: Record<string, string> = { [`${ACCOUNTS.apiKey.model}/the-hash`]: credentialBody(RECORD) };
    const directory = credentialDirectory(storing(bodies));
    expect(await directory.byApiKeyHash("the-hash")).toStrictEqual(RECORD);
    bodies[`${ACCOUNTS.apiKey.model}/the-hash`] = credentialBody({ ...RECORD, accountActive: false });
    expect(await directory.byApiKeyHash("the-hash")).toStrictEqual({ ...RECORD, accountActive: false });
    delete bodies[`${ACCOUNTS.apiKey.model}/the-hash`];
    expect(await directory.byApiKeyHash("the-hash")).toBeUndefined();
  });

  test("are read again only after the count of changes has increased", async () => {
    const bodies: Record<string, string> = { [`${ACCOUNTS.apiKey.model}/the-hash`]: credentialBody(RECORD) };
    let changeCount = 1;
    const directory = credentialDirectory(storing(bodies), () => changeCount);
    await directory.byApiKeyHash("the-hash");
    delete bodies[`${ACCOUNTS.apiKey.model}/the-hash`];
    expect(directory.byApiKeyHash("the-hash")).toStrictEqual(RECORD);
    changeCount = 2;
    expect(await directory.byApiKeyHash("the-hash")).toBeUndefined();
    expect(await directory.byApiKeyHash("the-hash")).toBeUndefined();
  });
});
