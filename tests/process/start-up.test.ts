import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ApiClient } from "../support/api-client.ts";
import { Service } from "../support/service.ts";
import { temporaryFolders } from "../support/temporary-folders.ts";
import { expectOneLine, expectStartFailure } from "./kit/expect-start-failure.ts";

const folder = temporaryFolders();
const services: Service[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.kill();
});

async function started(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  command: readonly string[] = [],
): Promise<Service> {
  const service = Service.spawn({ dataDir, env, command });
  services.push(service);
  await service.ready();
  return service;
}

async function listening(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { server, port: (server.address() as { port: number }).port };
}

describe("a place to listen that is not free", () => {
  test.each(["PORT", "OPERATOR_PORT"])("%s", async (variable) => {
    const { server, port } = await listening();
    const dataDir = folder();
    const line = await expectStartFailure({ dataDir, env: { [variable]: String(port), DEMO: "" } });
    server.close();
    expect(line).toBe(
      `${variable} is ${port}: something listens there on 127.0.0.1 already; stop it, or choose another port`,
    );
    // The demo was made by then: its key must not be lost with that start.
    const service = await started(dataDir, { DEMO: "" });
    const { apiKey } = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as { apiKey: string };
    expect((await new ApiClient(service.baseUrl, { apiKey }).get("/v1/destinations")).status).toBe(200);
    expect(existsSync(join(dataDir, "demo-account.json"))).toBe(false);
  });

  test.each([
    ["HOST", "192.0.2.1"],
    ["OPERATOR_HOST", "no-such-host.invalid"],
  ])("%s=%s", async (variable, host) => {
    const line = await expectStartFailure({ dataDir: folder(), env: { [variable]: host } });
    expect(line).toMatch(
      new RegExp(
        `^${variable} is "${host}": nobody can listen there \\([A-Z_]+\\); choose an address of this machine$`,
      ),
    );
  });
});

describe("what a service for customers is rather without", () => {
  const unusual = async (...how: [env: Readonly<Record<string, string>>, command?: readonly string[]]) =>
    (await started(folder(), ...how)).stdout.split("\n").filter((line) => line.startsWith("  unusual "));

  test("is named at the start", async () => {
    expect(await unusual({ BROWSER_SANDBOX: "false", RATE_LIMIT_PER_MINUTE: "0" })).toStrictEqual([
      "  unusual           requests are not limited (RATE_LIMIT_PER_MINUTE=0)",
      "  unusual           the browser that draws boarding passes runs without its sandbox (BROWSER_SANDBOX=false)",
    ]);
  });

  const outside = ["unshare", "--user", "--map-root-user", "sh", "-c"];
  const [program = "", ...args] = [...outside, "true"];
  const testWithNamespaces = spawnSync(program, args).status === 0 ? test : test.skip;
  testWithNamespaces("is what the reader of documents shares with a service that may keep nobody apart", async () => {
    const allowsNone = 'echo 0 >/proc/sys/user/max_user_namespaces; exec "$0" "$@"';
    expect(await unusual({ BROWSER_PATH: "none" }, [...outside, allowsNone])).toStrictEqual([
      "  unusual           documents are read by processes with the service's user, network and process ids: util-linux or this machine allows no less",
    ]);
  });

  test("is not named where it is not used", async () => {
    expect(await unusual({ BROWSER_SANDBOX: "false", BROWSER_PATH: "none" })).toStrictEqual([]);
  });
});

describe("a data folder that can't be used", () => {
  test("in use by another process, which goes on", async () => {
    const dataDir = folder();
    const first = await started(dataDir);
    expect(await expectStartFailure({ dataDir })).toMatch(
      new RegExp(`^the data folder ${dataDir} is in use by another process.*: stop it, or choose another folder$`),
    );
    expect((await fetch(`${first.baseUrl}/health/ready`)).status).toBe(200);
  });

  test("a file", async () => {
    const file = join(folder(), "file");
    writeFileSync(file, "");
    expect(await expectStartFailure({ dataDir: file })).toMatch(
      /^the data folder .+ can't be written \(E[A-Z]+\): make it a folder this user may write to$/,
    );
  });

  test.each(["/sys/data", "/sys", "/proc/data"])("that nobody may write to: %s", async (dataDir) => {
    expect(await expectStartFailure({ dataDir })).toMatch(
      new RegExp(
        `^the data folder ${dataDir} can't be written \\(E[A-Z]+\\): make it a folder this user may write to$`,
      ),
    );
  });

  // A limit on the size of a file stands in for a full disk: the same failure of the same call.
  test.each([100, 300, 500])("full after %d blocks", async (blocks) => {
    const start = ["bash", "-c", `ulimit -f ${blocks}; exec "$0" "$@"`];
    const ended = await Service.spawn({ dataDir: folder(), command: start, env: { DEMO: "" } }).ended;
    // LMDB's native code, where it meets the limit while it spills pages, says so in lines of its own first.
    const stderr = ended.stderr.replace(/^(Write error: .*? size \d+)?mdb_page_\w+ [^\n]*\n/gm, "");
    expect(expectOneLine({ ...ended, stderr })).toMatch(
      /^(no space is left for the data folder .+|.+ could not be written) \(.+\): free .+$/,
    );
  });

  test("with a file of its own that can't be read", async () => {
    const dataDir = folder();
    writeFileSync(join(dataDir, "secret-key"), "");
    expect(await expectStartFailure({ dataDir })).toBe(
      `${dataDir}/secret-key is empty: restore it, or remove it to have a new secret made`,
    );
    rmSync(join(dataDir, "secret-key"));
    mkdirSync(join(dataDir, "operator-token"));
    expect(await expectStartFailure({ dataDir })).toBe(
      `${dataDir}/operator-token can't be read (EISDIR): mend that, or remove it to have another made`,
    );
    rmSync(join(dataDir, "operator-token"), { recursive: true });
    writeFileSync(join(dataDir, "demo.json"), '{"apiKey":');
    expect(await expectStartFailure({ dataDir, env: { DEMO: "true" } })).toBe(
      `${dataDir}/demo.json can't be read (it is no JSON): restore it, or remove it to go on without`,
    );
  });
});

test("a start that is stopped before it is done ends with exit code 0 and says nothing", async () => {
  for (const afterMs of [200, 300, 400, 500, 600, 700, 800, 1_000]) {
    const service = Service.spawn({ dataDir: folder(), env: { DEMO: "true", LOG_LEVEL: "warn" } });
    setTimeout(() => service.process.kill("SIGTERM"), afterMs);
    const { code, signal, stderr } = await service.ended;
    // Too early for a process to have heard of signals, it just ends.
    if (signal === null) expect([code, stderr]).toStrictEqual([0, ""]);
    else expect([signal, stderr]).toStrictEqual(["SIGTERM", ""]);
  }
});

/** Engines that the settings did not choose, what only some requests need, and what child processes use. */
const NOT_AT_START =
  /node_modules\/(mongodb|ioredis|bullmq|@eventstore|@grpc|undici|jose|puppeteer|sharp|bwip-js|tesseract\.js|pdfjs-dist)\/|\/api-contract\/src\/(openapi|examples)\//;

test("a start loads what it uses, and no more", async () => {
  const list = join(folder(), "modules");
  const hook = new URL("./kit/list-modules.ts", import.meta.url);
  const service = await started(folder(), { NODE_OPTIONS: `--import ${hook}`, MODULE_LIST: list });
  const listed = () => readFileSync(list, "utf8").trimEnd().split("\n");
  const loaded = listed();
  expect(loaded.filter((line) => NOT_AT_START.test(line))).toStrictEqual([]);
  expect(loaded.filter((line) => /^projector .*node_modules\/zod\//.test(line))).toStrictEqual([]);
  const of = (thread: string) => loaded.filter((line) => line.startsWith(`${thread} `));
  expect(of("request").length).toBeLessThan(940);
  expect(of("projector").length).toBeLessThan(315);
  expect(of("projector").filter((line) => line.includes("/projector/src/"))).not.toStrictEqual([]);

  // A third thread loads what the documents need.
  for (const path of ["/v1/openapi.json", "/docs", "/docs/changelog", "/docs/openapi.yaml", "/docs/postman.json"])
    expect([path, (await fetch(service.baseUrl + path)).status]).toStrictEqual([path, 200]);
  expect(listed().filter((line) => line.startsWith("request "))).toStrictEqual(of("request"));
});

test.each(["standalone", "operator"])("%s says in one line what to do about a module that is missing", (program) => {
  const script = join(folder(), "start.js");
  cpSync(resolve(import.meta.dirname, "../../packages", program, "start.js"), script);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], {
    encoding: "utf8",
    env: { PATH: process.env.PATH },
  });
  expect([status, stdout, stderr]).toStrictEqual([
    1,
    "",
    `Cannot find package '@travel-booking/runtime' imported from ${script}: run npm ci\n`,
  ]);
});

test("a Node that is too old is told so in one line", () => {
  const script = resolve(import.meta.dirname, "../../packages/standalone/start.js");
  const pretended = `data:text/javascript,${encodeURIComponent(
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.11.1" } }); Object.defineProperty(process, "version", { value: "v20.11.1" });',
  )}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", pretended, script], {
    encoding: "utf8",
    env: { PATH: process.env.PATH },
  });
  expect([status, stdout, stderr]).toStrictEqual([
    1,
    "",
    'Node 24 or later is needed, this is v20.11.1: start it with "npm start" after "npm ci", which brings one, or install it\n',
  ]);
});
