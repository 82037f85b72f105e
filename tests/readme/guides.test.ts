import { createHmac } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ApiClient } from "../support/api-client.ts";
import { Service } from "../support/service.ts";
import { until } from "../support/until.ts";
import { runInShell } from "./kit/run-in-shell.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const FOLDER = join(ROOT, "query-service/guides");
const blocksOf = (file: string, language: string) =>
  [...readFileSync(join(FOLDER, file), "utf8").matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(
    ([, found, block = ""]) => (found === language ? [block] : []),
  );

/** What each says on its way. */
const SAID: Readonly<Record<string, RegExp>> = {
  "1-quickstart.md": /"status":"succeeded"[\s\S]*confirmed\n$/,
  "2-authentication.md": /^200\n200\n.*passengers:read.*\n$/,
  "3-retries.md": /^one booking\nidempotent-replayed: true\s*$/i,
  "4-pages.md": /^(?:[4-9]\d|\d{3}) bookings\n$/,
  "5-payments.md": /^insufficient_funds\nconfirmed\nsucceeded\n$/,
  "6-events.md": /^(?:payment\.succeeded booking\.confirmed|booking\.confirmed payment\.succeeded)\n$/,
  "8-errors.md":
    /service-error-code: invalid_request[\s\S]*did you mean flightId[\s\S]*service-error-code: booking_not_found/i,
  "9-versions.md": /^service-version: 2026-11-01\s+deprecation: .+\s+sunset: .+\s*$/i,
};

/** Against a fresh start with its demo, as somebody who pastes one guide after another. */
describe("the guides of the reference", () => {
  let service: Service;
  let env: Readonly<Record<string, string>>;
  beforeAll(async () => {
    service = await Service.start({ env: { DEMO: "", RATE_LIMIT_PER_MINUTE: "0" } });
    const { apiKey, clientId, clientSecret } = JSON.parse(
      readFileSync(join(service.dataDir, "demo.json"), "utf8"),
    ) as Record<string, string>;
    const PATH = `${join(ROOT, "node_modules/.bin")}:${process.env.PATH}`;
    // Until the demo account has lived: else its events come in between.
    const api = new ApiClient(service.baseUrl, { apiKey: apiKey ?? "" });
    await until(
      async () => (await api.get<{ pointsBalance: number }>("/v1/loyalty/account")).body.pointsBalance === 55_000,
    );
    env = { BASE: service.baseUrl, KEY: apiKey ?? "", CLIENT: clientId ?? "", SECRET: clientSecret ?? "", PATH };
  });
  afterAll(() => service.discard());

  const files = readdirSync(FOLDER).sort();

  test("are those that are run here", () => {
    const withShell = files.filter((file) => blocksOf(file, "sh").length > 0);
    expect(withShell).toStrictEqual(Object.keys(SAID));
    expect(files.filter((file) => !withShell.includes(file))).toStrictEqual(["7-webhooks.md"]);
  });

  test.each(Object.entries(SAID))("%s says what it should", async (file, said) => {
    const [helpers = ""] = blocksOf("1-quickstart.md", "sh");
    const own = blocksOf(file, "sh").filter((block) => block !== helpers);
    const { code, stdout, stderr } = await runInShell([helpers, ...own].join("\n"), env, []);
    expect([code, stderr]).toStrictEqual([0, ""]);
    expect(stdout.replace(/\n$/, "")).toMatch(said);
  });

  test("7-webhooks.md verifies what is ours, and nothing else", async () => {
    const [block = ""] = blocksOf("7-webhooks.md", "js");
    const file = join(service.dataDir, "receive.mjs");
    // Where a library is found from.
    writeFileSync(file, block.replace('"standardwebhooks"', JSON.stringify(import.meta.resolve("standardwebhooks"))));
    const { receive } = (await import(file)) as {
      receive(secret: string, headers: Record<string, string>, body: string): string;
    };
    const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
    const body = '{"id":"evt_1","type":"booking.confirmed"}';
    const at = Math.floor(Date.now() / 1_000);
    const headers = (id: string) => ({
      "webhook-id": id,
      "webhook-timestamp": String(at),
      "webhook-signature": `v1,${createHmac("sha256", Buffer.alloc(24, 7)).update(`msg_1.${at}.${body}`).digest("base64")}`,
    });
    expect(receive(secret, headers("msg_1"), body)).toBe("booking.confirmed");
    expect(() => receive(secret, headers("msg_2"), body)).toThrow("No matching signature found");
  });
});
