import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { OperatorCaller } from "../support/operator-caller.ts";
import { Service } from "../support/service.ts";
import { temporaryFolders } from "../support/temporary-folders.ts";
import { type NpmService, npmStart } from "./kit/npm.ts";

const folder = temporaryFolders();
const TEN_SECONDS = 10_000;
/** A stop in good order says nothing that is worth a warning. */
const QUIET = { LOG_LEVEL: "warn", RATE_LIMIT_PER_MINUTE: "0" };

let running: Service | undefined;
let underNpm: NpmService | undefined;
afterEach(async () => {
  await running?.kill();
  running = undefined;
  try {
    if (underNpm?.npm.pid !== undefined) process.kill(-underNpm.npm.pid, "SIGKILL");
  } catch {
    // Gone already.
  }
  underNpm = undefined;
});

describe("a stop in good order", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("%s ends it with exit code 0, within ten seconds", async (signal) => {
    running = await Service.start({ dataDir: folder(), env: QUIET });
    const from = performance.now();
    const { code, signal: killedBy, stderr } = await running.stop(signal);
    expect([code, killedBy, stderr]).toStrictEqual([0, null, ""]);
    expect(performance.now() - from).toBeLessThan(TEN_SECONDS);
  });

  test("signals that come again and others besides change nothing", async () => {
    running = await Service.start({ dataDir: folder(), env: QUIET });
    for (const signal of ["SIGINT", "SIGTERM", "SIGINT", "SIGTERM"] as const) running.process.kill(signal);
    const { code, signal, stderr } = await running.ended;
    expect([code, signal, stderr]).toStrictEqual([0, null, ""]);
  });

  test("the signal that opens Node's debugger opens none", async () => {
    running = await Service.start({ dataDir: folder(), env: QUIET });
    running.process.kill("SIGUSR1");
    const { code, stderr } = await running.stop();
    expect([code, stderr]).toStrictEqual([0, ""]);
  });

  test("a request under way is finished, one that never comes is not waited for, idle connections are closed", async () => {
    running = await Service.start({ dataDir: folder(), env: QUIET });
    await importFlights(running, [{ id: "ST-1", departsIn: 60 }]);
    const { apiKey } = await running.newApiKey();
    const idle = await fetch(`${running.baseUrl}/health/live`);
    await idle.text();
    const silent = slowRequest(running, apiKey);
    silent.request.write("{");
    const slow = slowRequest(running, apiKey);
    const body = JSON.stringify({ seats: ["12A"] });
    slow.request.write(body.slice(0, 5));
    await Promise.all([silent.begun, slow.begun]);
    const from = performance.now();
    running.process.kill("SIGTERM");
    await notReady(running.baseUrl);
    slow.request.end(body.slice(5));
    expect(await slow.answered).toBe(201);
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toStrictEqual([0, ""]);
    expect(await silent.answered).toBe("broken off");
    expect(performance.now() - from).toBeLessThan(TEN_SECONDS);
  });

  test("requests that wait for events are sent home", async () => {
    running = await Service.start({ dataDir: folder(), env: QUIET });
    const { apiKey } = await running.newApiKey();
    const api = new ApiClient(running.baseUrl, { apiKey });
    const waits = Array.from({ length: 20 }, () =>
      api.get<{ readonly data: readonly unknown[] }>("/v1/events?wait=30"),
    );
    const metrics = await untilMetrics(running, "\nevent_waits 20\n");
    expect(metrics).toContain('http_requests_in_flight{service="query"} 0');
    const from = performance.now();
    const { code, stderr } = await running.stop();
    expect([code, stderr]).toStrictEqual([0, ""]);
    expect(performance.now() - from).toBeLessThan(TEN_SECONDS);
    for (const { status, body } of await Promise.all(waits)) expect([status, body.data]).toStrictEqual([200, []]);
  });

  test("a step of the clock and a rebuild under way do not hold it up", async () => {
    const env = { ...QUIET, SANDBOX_CLOCK: "true" };
    running = await Service.start({ dataDir: folder(), env });
    await importFlights(
      running,
      Array.from({ length: 200 }, (_, index) => ({ id: `ST-${index}`, departsIn: 60 })),
    );
    const { apiKey } = await running.newApiKey();
    const api = new ApiClient(running.baseUrl, { apiKey });
    for (let index = 0; index < 100; index += 1)
      await api.post(`/v1/flights/ST-${index}/seat-holds`, { seats: ["12A"] });
    const advancing = running.operator("POST", "/clock/advance", { seconds: 1_000 }).catch(() => undefined);
    const rebuilding = running.operator("POST", "/projections/flights/rebuild").catch(() => undefined);
    const { code } = await running.stop();
    expect(code).toBe(0);
    await Promise.all([advancing, rebuilding]);
  });
});

describe("the end of the npm start that runs it", () => {
  const env = () => ({ PORT: "0", OPERATOR_PORT: "0", DEMO: "false", DATA_DIR: folder(), LOG_LEVEL: "info" });

  async function endsWell(end: (started: NpmService) => void): Promise<void> {
    underNpm = await npmStart(env());
    expect((await fetch(`${underNpm.baseUrl}/health/ready`)).status).toBe(200);
    end(underNpm);
    expect(await underNpm.waitForExit()).toBeLessThan(TEN_SECONDS);
    await expect(fetch(`${underNpm.baseUrl}/health/live`)).rejects.toThrow();
    expect(underNpm.stderr()).toContain('"msg":"stopping"');
    expect(underNpm.stderr()).not.toMatch(/"level":"(warn|error|fatal)"/);
  }

  test("SIGTERM to npm", () => endsWell(({ npm }) => npm.kill("SIGTERM")), 60_000);
  test("SIGKILL to npm", () => endsWell(({ npm }) => npm.kill("SIGKILL")), 60_000);
  test("SIGTERM to its process group", () => endsWell(({ npm }) => process.kill(-(npm.pid ?? 0), "SIGTERM")), 60_000);

  test("not that no file is left to look at it: who has connected before is served, and the start has warned", async () => {
    const dataDir = folder();
    underNpm = await npmStart({ ...env(), DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: "0" }, "ulimit -n 64");
    const { baseUrl, stdout, stderr, servicePid } = underNpm;
    expect(stdout()).toContain(
      "unusual           fewer than 256 files may be open (ulimit -n): uploads and other work may fail, also what fills a demo account",
    );
    const operatorUrl = /operator address\s+(\S+)/.exec(stdout())?.[1] ?? "";
    const token = readFileSync(join(dataDir, "operator-token"), "utf8").trim();
    const { apiKey } = await new OperatorCaller(
      () => operatorUrl,
      () => token,
    ).newApiKey();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = () => statusOf(request(`${baseUrl}/v1/flights`, { agent, headers: { "x-api-key": apiKey } }));
    expect(await ask()).toBe(200);
    // What is open stays so, and nothing more can be opened.
    expect(spawnSync("prlimit", [`--pid=${servicePid}`, "--nofile=1"]).status).toBe(0);
    // Time is what this is about: it looks twice a second.
    for (const end = performance.now() + 2_000; performance.now() < end; ) {
      expect(await ask()).toBe(200);
    }
    agent.destroy();
    const lines = stderr().trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as object)).toStrictEqual([
      {
        level: "warn",
        time: expect.any(String),
        service: "standalone",
        openFiles: 64,
        maxConnections: 16,
        msg: "few files may be open (ulimit -n): fewer connections are taken than could be",
      },
    ]);
  }, 60_000);
});

async function statusOf(asked: ClientRequest): Promise<number | undefined> {
  const [response] = (await once(asked.end(), "response")) as [IncomingMessage];
  await once(response.resume(), "end");
  return response.statusCode;
}

function slowRequest(service: Service, apiKey: string) {
  const { promise: answered, resolve } = Promise.withResolvers<number | "broken off">();
  const outgoing: ClientRequest = request(`${service.baseUrl}/v1/flights/ST-1/seat-holds`, {
    method: "POST",
    agent: false,
    headers: {
      "x-api-key": apiKey,
      "content-type": "application/json",
      "transfer-encoding": "chunked",
      expect: "100-continue",
    },
  });
  const begun = once(outgoing, "continue");
  outgoing.on("response", (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  outgoing.on("error", () => resolve("broken off"));
  return { request: outgoing, begun, answered };
}

/** Its metrics, once they say this. */
async function untilMetrics({ metricsUrl }: Service, said: string): Promise<string> {
  for (;;) {
    const metrics = await (await fetch(metricsUrl)).text();
    if (metrics.includes(said)) return metrics;
  }
}

/** Until new connections are refused. */
async function notReady(baseUrl: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${baseUrl}/health/ready`, { headers: { connection: "close" } }).catch(
      () => undefined,
    );
    if (response?.status !== 200) return;
  }
}
