import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { SettingsError } from "@travel-booking/runtime";
import { readStripeSettings } from "../src/stripe/settings.ts";

const KEY = "sk_test_51abcDEF";
const SECRET = "whsec_abcDEF123";
const GOOD = { STRIPE_SECRET_KEY: KEY, STRIPE_WEBHOOK_SECRET: SECRET };
const folder = mkdtempSync(join(tmpdir(), "stripe-settings-"));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (environment: Readonly<Record<string, string>>, sandboxClock = false) =>
  readStripeSettings(environment, { sandboxClock });

function problemsOf(environment: Readonly<Record<string, string>>, sandboxClock = false): readonly string[] {
  try {
    read(environment, sandboxClock);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems.map(({ message }) => message);
    throw error;
  }
}

describe("the settings of Stripe", () => {
  test("are a key and a webhook secret", () => {
    expect(read(GOOD)).toStrictEqual({ secretKey: KEY, webhookSecret: SECRET, apiUrl: undefined });
    expect(read({ ...GOOD, STRIPE_SECRET_KEY: "rk_live_a" }).secretKey).toBe("rk_live_a");
  });

  test("may each be in a file", () => {
    const file = join(folder, "key");
    writeFileSync(file, `${KEY}\n`);
    expect(read({ STRIPE_SECRET_KEY_FILE: file, STRIPE_WEBHOOK_SECRET: SECRET }).secretKey).toBe(KEY);
    expect(problemsOf({ ...GOOD, STRIPE_SECRET_KEY_FILE: file })).toStrictEqual([
      `STRIPE_SECRET_KEY_FILE is "${file}": it accepts nothing while STRIPE_SECRET_KEY is set`,
    ]);
    const missing = join(folder, "missing");
    expect(problemsOf({ STRIPE_SECRET_KEY: KEY, STRIPE_WEBHOOK_SECRET_FILE: missing })).toStrictEqual([
      `STRIPE_WEBHOOK_SECRET_FILE is "${missing}": it accepts the path of a file that can be read (ENOENT)`,
    ]);
  });

  test("are required, and named in a line each", () => {
    expect(problemsOf({})).toStrictEqual([
      'STRIPE_SECRET_KEY is "": it accepts a key of Stripe\'s, sk_test_…, sk_live_…, rk_test_… or rk_live_…, and is required with stripe',
      'STRIPE_WEBHOOK_SECRET is "": it accepts the signing secret of a webhook endpoint, whsec_…, and is required with stripe',
    ]);
  });

  test.each(["pk_test_abc", "sk_test_", "sk_test_a b", "secret", "sk_test_é"])(
    "a malformed key is refused, and not shown: %s",
    (key) => {
      expect(problemsOf({ ...GOOD, STRIPE_SECRET_KEY: key })).toStrictEqual([
        "STRIPE_SECRET_KEY is not usable: it accepts a key of Stripe's, sk_test_…, sk_live_…, rk_test_… or rk_live_…",
      ]);
    },
  );

  test("a live key and a clock that can be moved do not go together", () => {
    for (const key of ["sk_live_abc", "rk_live_abc"]) {
      expect(problemsOf({ ...GOOD, STRIPE_SECRET_KEY: key }, true)).toStrictEqual([
        "STRIPE_SECRET_KEY is not usable: it accepts a live key only without SANDBOX_CLOCK",
      ]);
    }
    expect(problemsOf(GOOD, true)).toStrictEqual([]);
  });

  test.each([
    ["https://api.example.com", "https://api.example.com/"],
    ["http://127.0.0.1:12111", "http://127.0.0.1:12111/"],
    ["http://[::1]:1", "http://[::1]:1/"],
    ["http://localhost", "http://localhost/"],
  ])("STRIPE_API_URL may be %s", (given, url) => {
    expect(read({ ...GOOD, STRIPE_API_URL: given }).apiUrl?.href).toBe(url);
  });

  test.each([
    "http://api.example.com",
    "http://127.0.0.1.example.com",
    "ftp://127.0.0.1",
    "127.0.0.1",
    "https://a/b",
    "https://u@a",
  ])("STRIPE_API_URL can't be %s", (given) => {
    expect(problemsOf({ ...GOOD, STRIPE_API_URL: given })).toStrictEqual([
      "STRIPE_API_URL is not usable: it accepts an https: address, or http: of a loopback address",
    ]);
  });
});
