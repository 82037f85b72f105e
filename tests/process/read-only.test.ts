import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Receiver } from "@travel-booking/webhooks/receiver/testing";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { Service } from "../support/service.ts";

const ENV = { RATE_LIMIT_PER_MINUTE: "0", LOG_LEVEL: "warn", WEBHOOK_ALLOW_PRIVATE_TARGETS: "true" };
const WEEK = 7 * 86_400;

let receiver: Receiver;
let original: Service;
let bookingId: string;
let apiKey: string;
let client: { readonly clientId: string; readonly clientSecret: string };
const copies: string[] = [];

beforeAll(async () => {
  receiver = await Receiver.start();
  receiver.respond = (_, response) => void response.writeHead(500).end();
  original = await Service.start({ env: ENV });
  await importFlights(original, [{ id: "RO-1", departsIn: 60 }]);
  const key = await original.newApiKey();
  apiKey = key.apiKey;
  const api = new ApiClient(original.baseUrl, { apiKey });
  const oauth = await original.operator("POST", "/credentials", { accountId: key.accountId, kind: "oauth-client" });
  client = oauth.body as typeof client;
  await api.post(
    "/v1/webhook-endpoints",
    { url: receiver.url, events: ["payment.succeeded"] },
    { "Idempotency-Key": "e" },
  );
  const passengers = [{ name: "Ada Lovelace", email: "ada@example.com" }];
  const book = (key: string) =>
    api.post<{ id: string }>(
      "/v1/bookings",
      { flightId: "RO-1", cabin: "economy", passengers },
      { "Idempotency-Key": key },
    );
  const paid = (await book("paid")).body.id;
  await api.post(`/v1/bookings/${paid}/payments`, { type: "card", token: "tok_visa" }, { "Idempotency-Key": "p" });
  await receiver.until(() => receiver.received.length === 1);
  // It expires, unless nothing does.
  bookingId = (await book("pending")).body.id;
  await original.stop();
});
afterAll(async () => {
  await receiver.stop();
  await original.discard();
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
});

/** A copy as a backup has it, without read models. */
function copyOf(service: Service): string {
  const copy = mkdtempSync(join(tmpdir(), "read-only-"));
  copies.push(copy);
  for (const name of ["log", "keys", "files", "secret-key"]) {
    cpSync(join(service.dataDir, name), join(copy, name), { recursive: true });
  }
  return copy;
}

/** What is stored, byte for byte, without what locks it. */
function stored(folder: string): readonly (readonly [string, string])[] {
  return ["log", "keys", "files", "secret-key"].flatMap((part) => {
    const path = join(folder, part);
    const names = part === "secret-key" ? [""] : readdirSync(path).filter((name) => name !== "lock.mdb");
    return names.toSorted().map(
      (name) =>
        [
          `${part}/${name}`,
          createHash("sha256")
            .update(readFileSync(join(path, name)))
            .digest("hex"),
        ] as const,
    );
  });
}

test("a copy that is started to be looked at answers reads, and nothing that is stored changes", async () => {
  const dataDir = copyOf(original);
  const before = stored(dataDir);
  receiver.received.length = 0;
  // Everything has long been due.
  const service = await Service.start({
    dataDir,
    env: ENV,
    line: ["--read-only"],
    simulated: { clockAheadSeconds: WEEK },
  });
  expect(service.stdout).toContain("it is to be looked at only");
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  const token = (await (await fetch(`${service.baseUrl}/v1/oauth/token`, { method: "POST", body: form })).json()) as {
    access_token: string;
  };
  const api = new ApiClient(service.baseUrl, { accessToken: token.access_token });
  expect((await api.get<{ passengers: unknown }>(`/v1/bookings/${bookingId}`)).body.passengers).toMatchObject([
    { name: "Ada Lovelace" },
  ]);
  const refused = await api.patch(`/v1/bookings/${bookingId}`, { reference: "R" });
  expect([refused.status, refused.headers.get("service-error-code")]).toStrictEqual([503, "read_only"]);
  const { status } = await service.operator("POST", "/accounts", { name: "Acme" });
  expect(status).toBe(503);
  const preview = await service.operator("POST", "/catalogue/preview", { destinations: [], flights: [] });
  expect(preview.status).toBe(200);
  expect((await service.operator("POST", "/names", { ids: ["acc_none"] })).body).toStrictEqual({ names: {} });
  const { body } = await service.operator("GET", "/summary");
  expect((body as { details: object }).details).toStrictEqual({
    readOnly: "nothing that is stored changes (READ_ONLY)",
  });
  expect((await service.operator("POST", "/projections/bookings/rebuild")).status).toBe(200);
  const { code, stderr } = await service.stop();
  expect([code, stderr]).toStrictEqual([0, ""]);
  expect(receiver.received).toStrictEqual([]);
  expect(stored(dataDir)).toStrictEqual(before);
  expect(existsSync(join(dataDir, "read", "data.mdb"))).toBe(true);
});

test.each([
  ["where nothing is stored", {}, [], /READ_ONLY is set, and nothing is stored in/],
  ["with erasures to be done again", { of: true }, ["--erasures", "x.json"], /READ_ONLY changes nothing/],
  ["with servers", { url: true }, [], /READ_ONLY is "true": it accepts a value only where all is stored in DATA_DIR/],
] as const)("is refused %s", async (_, { of = false, url = false }: { of?: boolean; url?: boolean }, line, why) => {
  const dataDir = of ? copyOf(original) : mkdtempSync(join(tmpdir(), "read-only-"));
  copies.push(dataDir);
  const servers = url ? { REDIS_URL: "redis://127.0.0.1:1", SECRET_KEY: "s".repeat(43) } : {};
  const { code, stderr } = await Service.spawn({ dataDir, line: [...line], env: { READ_ONLY: "true", ...servers } })
    .ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(why);
});
