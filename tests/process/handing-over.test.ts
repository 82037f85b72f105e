import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { operatorCli, operatorJson } from "../support/operator-cli.ts";
import { IN_FILE, liveThrough, WORDS } from "../support/personal-words.ts";
import { Service } from "../support/service.ts";
import { temporaryFolders } from "../support/temporary-folders.ts";

const folder = temporaryFolders();
let service: Service | undefined;
afterEach(() => service?.discard());

/** The files of an archive, as tar unpacks them, by name. */
function unpacked(file: string): ReadonlyMap<string, string> {
  const into = folder();
  execFileSync("tar", ["-x", "-f", file, "-C", into]);
  const found = readdirSync(into, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    found.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(into.length + 1), readFileSync(path, "utf8")];
    }),
  );
}

const linesOf = (text: string | undefined) => (text ?? "").split("\n").filter((line) => line !== "");

test("an archive has all that is held about an account, and nothing of another (docs/privacy.md#handing-over)", async () => {
  service = await Service.start({ env: { RATE_LIMIT_PER_MINUTE: "0" } });
  const where = { DATA_DIR: service.dataDir };
  const { accountId, bookingId, passengerId } = await liveThrough(service);
  const { apiKey } = await service.newApiKey();
  await importFlights(service, [{ id: "PW-9", departsIn: 60 }]);
  const stranger = {
    flightId: "PW-9",
    cabin: "economy",
    passengers: [{ name: "Stranger", email: "s@stranger.example" }],
  };
  expect((await new ApiClient(service.baseUrl, { apiKey }).post("/v1/bookings", stranger)).status).toBe(201);
  const file = join(folder(), "all.tar");
  const written = await operatorJson(where, "account", "export", accountId, file);
  expect(written).toStrictEqual({ path: file, bytes: statSync(file).size });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const files = unpacked(file);
  const text = [...files.values()].join("\n");
  expect(Object.values(WORDS).filter((word) => !text.includes(word))).toStrictEqual([]);
  expect(text).not.toContain("tranger");
  // Nobody gets a file as it was uploaded unless asking for it.
  const scan = [...files.keys()].find((name) => name.startsWith("files/")) as string;
  expect([scan.endsWith(".jpg"), files.get(scan)?.includes(IN_FILE)]).toStrictEqual([true, false]);
  const originals = join(folder(), "originals.tar");
  const asked = await operatorCli(where, "account", "export", accountId, originals, "--original");
  expect([asked.code, asked.stderr]).toStrictEqual([
    0,
    expect.stringContaining("may attack the program that opens it"),
  ]);
  const [uploaded = ""] = [...unpacked(originals)].flatMap(([name, held]) => (name.startsWith("files/") ? [held] : []));
  expect(uploaded).toContain(IN_FILE);
  const index = files.get("index.txt") as string;
  expect([...files.keys()].filter((name) => name !== "index.txt" && !index.includes(`${name}  `))).toStrictEqual([]);
  expect(index).toContain(`All that is held about the account ${accountId}`);
  expect(index).toContain(`uploaded for the booking ${bookingId} as "${WORDS.fileName}"`);
  expect(linesOf(files.get("bookings.jsonl")).map((line) => JSON.parse(line).id)).toStrictEqual([bookingId]);
  expect(linesOf(files.get("passengers.jsonl")).map((line) => JSON.parse(line).id)).toStrictEqual([passengerId]);
  // No file is overwritten.
  expect(await operatorCli(where, "account", "export", accountId, file)).toMatchObject({ code: 1 });

  // Erased words are handed over to nobody.
  for (const path of [`/bookings/${bookingId}/erase`, `/passengers/${passengerId}/erase`]) {
    expect((await service.operator("POST", path)).status).toBe(200);
  }
  const later = join(folder(), "later.tar");
  await operatorJson(where, "account", "export", accountId, later);
  const after = unpacked(later);
  const left = Object.values(WORDS).filter((word) => [...after.values()].join("\n").includes(word));
  expect(left).toStrictEqual([WORDS.accountName, WORDS.credentialName, WORDS.adjustment]);
  expect([...after.keys()].filter((name) => name.startsWith("files/"))).toStrictEqual([]);
  expect(JSON.parse(after.get("bookings.jsonl") as string)).toMatchObject({ id: bookingId, reference: "[erased]" });
});

test("a saved passenger's profile is handed over, also after it was deleted; nobody's is refused", async () => {
  service = await Service.start();
  const where = { DATA_DIR: service.dataDir };
  const { passengerId, apiKey } = await liveThrough(service);
  const client = new ApiClient(service.baseUrl, { apiKey });
  const before = join(folder(), "before.tar");
  await operatorJson(where, "passenger", "export", passengerId, before);
  const profile = (await client.get(`/v1/passengers/${passengerId}`)).body;
  expect(JSON.parse(unpacked(before).get("passenger.jsonl") as string)).toStrictEqual(profile);
  await client.call("DELETE", `/v1/passengers/${passengerId}`);
  const file = join(folder(), "passenger.tar");
  await operatorJson(where, "passenger", "export", passengerId, file);
  const files = unpacked(file);
  expect([...files.keys()].toSorted()).toStrictEqual(["events.jsonl", "index.txt", "passenger.jsonl"]);
  expect(files.get("passenger.jsonl")).toBe("");
  expect(files.get("events.jsonl")).toContain(WORDS.passport);
  for (const what of ["passenger", "account"]) {
    const none = join(folder(), "none.tar");
    expect(await operatorCli(where, what, "export", "xyz_1", none)).toMatchObject({
      code: 1,
      stderr: `no ${what} with this id\n`,
    });
    expect(() => statSync(none)).toThrow("ENOENT");
  }
});
