import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ApiClient } from "../support/api-client.ts";
import { Service } from "../support/service.ts";
import { until } from "../support/until.ts";
import { blocksOf } from "./kit/blocks-of.ts";
import { runInShell } from "./kit/run-in-shell.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const FOLDER = join(ROOT, "query-service/guides");
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
    const withShell = files.filter((file) => blocksOf(join(FOLDER, file), "sh").length > 0);
    expect(withShell).toStrictEqual(Object.keys(SAID));
    expect(files.filter((file) => !withShell.includes(file))).toStrictEqual([
      "10-browsers.md",
      "11-limits.md",
      "7-webhooks.md",
    ]);
  });

  test.each(Object.entries(SAID))("%s says what it should", async (file, said) => {
    const [helpers = ""] = blocksOf(join(FOLDER, "1-quickstart.md"), "sh");
    const own = blocksOf(join(FOLDER, file), "sh").filter((block) => block !== helpers);
    const { code, stdout, stderr } = await runInShell([helpers, ...own].join("\n"), env);
    expect([code, stderr]).toStrictEqual([0, ""]);
    expect(stdout).toMatch(said);
  });
});
