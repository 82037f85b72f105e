import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { KeptRow } from "@travel-booking/read-models";
import { ALAN, Client, expectStatus, newKey } from "../end-to-end/kit/client.ts";
import { DESTINATIONS, flightOf, importCatalogue } from "../end-to-end/kit/world.ts";
import { operatorCli, operatorJson } from "../support/operator-cli.ts";
import { Service } from "../support/service.ts";

/** A person is found, handed over and forgotten by e-mail address (docs/privacy.md#a-person). */

const EVE = { name: "Eve Quist", email: "Eve@example.com" };
const PROFILE = {
  ...{ firstName: "Eve", lastName: "Quist", email: "eve@example.com", dateOfBirth: "1985-12-10", nationality: "GB" },
  passport: { number: "L898902C3", expiresOn: "2034-04-15", issuingCountry: "NZ" },
};

let service: Service;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "persons-"));
  service = await Service.start({ env: { RATE_LIMIT_PER_MINUTE: "0" } });
  await importCatalogue(service, {
    destinations: [DESTINATIONS[0]],
    flights: [flightOf({ id: "OP-1", departsIn: 40 }, Date.now())],
  });
});
afterAll(async () => {
  await service.discard();
  rmSync(folder, { recursive: true });
});

const cli = <Value>(...line: readonly string[]) => operatorJson<Value>({ DATA_DIR: service.dataDir }, ...line);
type Row = Readonly<Record<"kind" | "id" | "status" | "accountId", string>> & { readonly passenger: number | null };

test("a person is found over all accounts, handed over without others, and forgotten where the journey is over", async () => {
  const [one, two] = [await service.newApiKey(), await service.newApiKey()];
  const [first, second] = [new Client(service.baseUrl, one), new Client(service.baseUrl, two)];
  const over = await first.newBooking("OP-1", { passengers: [ALAN, EVE] });
  const toCome = await second.newBooking("OP-1", { passengers: [EVE] });
  const key = { "Idempotency-Key": newKey() };
  const profile = expectStatus(201, await second.post<{ id: string }>("/v1/passengers", PROFILE, key));
  expectStatus(200, await first.post(`/v1/bookings/${over.id}/cancel`, {}));

  const rows = await cli<readonly Row[]>("person", "find", "EVE@example.com");
  expect(rows.map(({ id, passenger, accountId }) => [id, passenger, accountId])).toStrictEqual([
    [over.id, 1, one.accountId],
    [profile.id, null, two.accountId],
    [toCome.id, 0, two.accountId],
  ]);

  const file = join(folder, "eve.tar");
  await cli("person", "export", "eve@example.com", file);
  const archive = readFileSync(file, "utf8");
  for (const part of ["that have the address now", over.id, toCome.id, profile.id, "L898902C3", EVE.name])
    expect(archive).toContain(part);
  expect(archive).not.toContain(ALAN.name);

  const erased = await cli<readonly Row[]>("person", "erase", "eve@example.com");
  expect(erased).toStrictEqual([
    { kind: "booking", id: over.id, passenger: 1, status: "erased", reason: null },
    { kind: "passenger", id: profile.id, passenger: null, status: "erased", reason: null },
    {
      ...{ kind: "booking", id: toCome.id, passenger: 0, status: "left" },
      reason: "the journey is still to come: cancel the booking first",
    },
  ]);
  expect((await cli<readonly Row[]>("person", "find", "eve@example.com")).map(({ id }) => id)).toStrictEqual([
    toCome.id,
  ]);
  expect((await first.booking(over.id)).passengers.map(({ name }) => name)).toStrictEqual([ALAN.name, "[erased]"]);
  const held = async () => (await cli<readonly KeptRow[]>("privacy", "report"))[0]?.held;
  await cli("account", "erase", one.accountId);
  expect(await held()).toBe(1);
  await cli("booking", "erase", over.id);
  expect(await held()).toBe(0);
  const nobody = await operatorCli({ DATA_DIR: service.dataDir }, "person", "export", "no@example.com", `${file}2`);
  expect([nobody.code, nobody.stderr.trim()]).toStrictEqual([1, "nothing is held about this e-mail address"]);
});
