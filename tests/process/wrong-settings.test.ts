import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { childEnvironment } from "../support/child-environment.ts";
import { Service } from "../support/service.ts";
import { temporaryFolders } from "../support/temporary-folders.ts";

const ROOT = resolve(import.meta.dirname, "../..");

const folder = temporaryFolders();

const PORTS = "it accepts a whole number from 0 to 65535 (0: any free port)";
const FLAG = "it accepts true or false";
const ADDRESSES = "it accepts IP addresses or subnets such as 10.0.0.0/8, separated by commas";
const SECRET = "is not usable: it accepts at least 32 visible ASCII characters";

type Row = readonly [variable: string, value: string, line: string];
/** One of each kind; `packages/runtime/test/settings.test.ts` has all there are. */
const WRONG: readonly Row[] = [
  ["PORT", "http", `PORT is "http": ${PORTS}`],
  ["OPERATOR_PORT", "3e3", `OPERATOR_PORT is "3e3": ${PORTS}`],
  ["HOST", "999.1.1.1", 'HOST is "999.1.1.1": it accepts an IP address or a host name'],
  ["TRUSTED_PROXIES", "10.0.0.0/33", `TRUSTED_PROXIES is "10.0.0.0/33": ${ADDRESSES}`],
  ["SECRET_KEY", "too-short-to-be-kept", `SECRET_KEY ${SECRET}`],
  ["DATA_DIR", " ", 'DATA_DIR is " ": it accepts the path of a folder'],
  ["SANDBOX_CLOCK", "1", `SANDBOX_CLOCK is "1": ${FLAG}`],
  [
    "RATE_LIMIT_PER_MINUTE",
    "sixty\nlines",
    'RATE_LIMIT_PER_MINUTE is "sixty\\nlines": it accepts a whole number from 0 to 1000000000 (0: no limit)',
  ],
  [
    "MONGODB_URL",
    "postgres://user:pass@db",
    "MONGODB_URL is not usable: it accepts a URL that begins with mongodb:// or mongodb+srv://, then one host:port or several with commas",
  ],
];

const UNANSWERED = [
  ["EVENT_STORE_URL", "esdb://127.0.0.1:1?tls=false"],
  ["MONGODB_URL", "mongodb://user:hidden@127.0.0.1:1"],
  ["REDIS_URL", "redis://:hidden@127.0.0.1:1"],
] as const;

describe("a wrong setting is named with what it got and what it accepts, and nothing is started", () => {
  test("a line for each", async () => {
    const dataDir = join(folder(), "data");
    const env = Object.fromEntries(WRONG.map(([variable, value]) => [variable, value]));
    const { code, stdout, stderr } = await Service.spawn({ dataDir, env }).ended;
    expect([code, stdout]).toStrictEqual([1, ""]);
    expect(new Set(stderr.trimEnd().split("\n"))).toStrictEqual(new Set(WRONG.map(([, , line]) => line)));
    expect(existsSync(dataDir)).toBe(false);
  });

  test("servers without the key that instances share", async () => {
    const dataDir = join(folder(), "data");
    const { code, stderr } = await Service.spawn({ dataDir, env: { REDIS_URL: "redis://cache" } }).ended;
    expect([code, stderr]).toStrictEqual([
      1,
      'SECRET_KEY is "": it accepts at least 32 visible ASCII characters, and is required with servers of their own\n',
    ]);
    expect(existsSync(dataDir)).toBe(false);
  });

  test("a server that does not answer, each of them", async () => {
    const answers = await Promise.all(
      UNANSWERED.map(async ([variable, url]) => {
        const env = {
          [variable]: url,
          SECRET_KEY: "k".repeat(40),
          LOG_LEVEL: "silent",
          START_TIMEOUT_SECONDS: "1",
        };
        const { code, stderr } = await Service.spawn({ dataDir: join(folder(), variable), env }).ended;
        return [code, stderr];
      }),
    );
    expect(answers).toStrictEqual(
      UNANSWERED.map(([variable]) => [
        1,
        `the server that ${variable} names does not answer: start it, or correct the address\n`,
      ]),
    );
  });

  test.each(["command-service", "query-service", "projector"])("%s alone, without what it shares", async (name) => {
    const { code, stderr } = await startAlone(name);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^MONGODB_URL is "": it accepts the address of a server/m);
    expect(
      stderr
        .trimEnd()
        .split("\n")
        .every((line) => /^[A-Z_]+ is "": it accepts /.test(line)),
    ).toBe(true);
  });
});

/** One service of its own, with no settings at all. */
function startAlone(name: string): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const child = spawn(process.execPath, [join(ROOT, name, "src/main.ts")], { env: childEnvironment() });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  return once(child, "close").then(([code]) => ({ code: code as number | null, stderr }));
}
