import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { Service } from "../support/service.ts";
import { failedStart } from "./kit/failed-start.ts";
import { temporaryFolders } from "./kit/temporary.ts";

const folder = temporaryFolders();

const PORTS = "it accepts a whole number from 0 to 65535 (0: any free port)";
const FLAG = "it accepts true or false";
const ADDRESSES = "it accepts IP addresses or subnets such as 10.0.0.0/8, separated by commas";
const SECRET = "is not usable: it accepts at least 32 visible ASCII characters";
const EMBEDDED = "is not usable: it accepts no value: there are only the embedded engines, unset it";

type Row = readonly [variable: string, value: string, line: string];
const WRONG: readonly Row[] = [
  ["PORT", "http", `PORT is "http": ${PORTS}`],
  ["PORT", "65536", `PORT is "65536": ${PORTS}`],
  ["PORT", "-1", `PORT is "-1": ${PORTS}`],
  ["OPERATOR_PORT", "3e3", `OPERATOR_PORT is "3e3": ${PORTS}`],
  ["HOST", "999.1.1.1", 'HOST is "999.1.1.1": it accepts an IP address or a host name'],
  ["OPERATOR_HOST", "a b", 'OPERATOR_HOST is "a b": it accepts an IP address or a host name'],
  ["TRUSTED_PROXIES", "10.0.0.0/33", `TRUSTED_PROXIES is "10.0.0.0/33": ${ADDRESSES}`],
  ["SECRET_KEY", "too-short-to-be-kept", `SECRET_KEY ${SECRET}`],
  ["OPERATOR_TOKEN", "too short to be sent", `OPERATOR_TOKEN ${SECRET}`],
  ["DATA_DIR", " ", 'DATA_DIR is " ": it accepts the path of a folder'],
  [
    "RATE_LIMIT_PER_MINUTE",
    "sixty\nlines",
    'RATE_LIMIT_PER_MINUTE is "sixty\\nlines": it accepts a whole number from 0 to 1000000000 (0: no limit)',
  ],
  ["WEBHOOK_ALLOW_PRIVATE_TARGETS", "yes", `WEBHOOK_ALLOW_PRIVATE_TARGETS is "yes": ${FLAG}`],
  ["SANDBOX_CLOCK", "1", `SANDBOX_CLOCK is "1": ${FLAG}`],
  ["DEMO", "maybe", `DEMO is "maybe": ${FLAG}`],
  ["LOG_LEVEL", "loud", 'LOG_LEVEL is "loud": it accepts one of trace, debug, info, warn, error, fatal, silent'],
  [
    "MONGODB_URL",
    "postgres://user:pass@db",
    "MONGODB_URL is not usable: it accepts a URL that begins with mongodb:// or mongodb+srv://",
  ],
];

describe("a wrong setting is named with what it got and what it accepts, and nothing is started", () => {
  test("all there are, a line for each", async () => {
    const dataDir = join(folder(), "data");
    for (const round of rounds(WRONG)) {
      const env = Object.fromEntries(round.map(([variable, value]) => [variable, value]));
      const { code, stdout, stderr } = await Service.spawn({ dataDir, env }).ended;
      expect([code, stdout]).toStrictEqual([1, ""]);
      expect(new Set(stderr.trimEnd().split("\n"))).toStrictEqual(new Set(round.map(([, , line]) => line)));
    }
    expect(existsSync(dataDir)).toBe(false);
  }, 30_000);

  test.each(["PORT", "RATE_LIMIT_PER_MINUTE"])(
    "%s alone",
    async (variable) => {
      const [, value = "", line] = WRONG.find(([name]) => name === variable) ?? [];
      const dataDir = join(folder(), "data");
      expect(await failedStart({ dataDir, env: { [variable]: value } })).toBe(line);
      expect(existsSync(dataDir)).toBe(false);
    },
    30_000,
  );

  test("engines there are not", async () => {
    const dataDir = join(folder(), "data");
    const urls = { EVENT_STORE_URL: "esdb://db:2113", MONGODB_URL: "mongodb://db", REDIS_URL: "redis://db" };
    const { code, stderr } = await Service.spawn({ dataDir, env: { ...urls, SECRET_KEY: "k".repeat(40) } }).ended;
    expect([code, stderr]).toStrictEqual([
      1,
      Object.keys(urls)
        .map((variable) => `${variable} ${EMBEDDED}\n`)
        .join(""),
    ]);
    expect(existsSync(dataDir)).toBe(false);
  }, 30_000);
});

/** Each variable once in a round. */
function rounds(rows: readonly Row[]): readonly Row[][] {
  const made: Row[][] = [];
  for (const row of rows) {
    const free = made.find((round) => round.every(([variable]) => variable !== row[0]));
    if (free === undefined) made.push([row]);
    else free.push(row);
  }
  return made;
}
