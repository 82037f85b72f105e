import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ADA, Client } from "../end-to-end/kit/client.ts";
import { flightOf } from "../end-to-end/kit/world.ts";
import { Service, type ServiceOptions } from "../support/service.ts";
import { temporaryFolders } from "../support/temporary-folders.ts";
import { browserForTests, type TestBrowser } from "./kit/browser.ts";
import { barcodesIn } from "./kit/read-barcodes.ts";

/** Real time; generous, since the machine may be busy. */
const EXIT_TIMEOUT_MS = 20_000;

const folder = temporaryFolders();
let browser: TestBrowser;
const services: Service[] = [];
beforeAll(async () => {
  browser = await browserForTests();
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.discard()));
  browser.discard();
});

/** A service with a booking that is paid. */
async function startWithBooking(env: Readonly<Record<string, string>>, options: ServiceOptions = {}) {
  const service = await Service.start({ ...options, env });
  services.push(service);
  const flight = flightOf({ id: "F", departsIn: 60 }, Date.now());
  const destination = {
    id: "kepler-442b",
    name: "Kepler-442b",
    system: "K",
    distanceLy: 1206,
    gravity: 1.3,
    climate: "arid",
  };
  expect(
    (await service.operator("POST", "/catalogue", { destinations: [destination], flights: [flight] })).status,
  ).toBe(200);
  const key = await service.newApiKey();
  const client = new Client(service.baseUrl, key);
  const { booking } = await client.paidBooking("F", { passengers: [ADA] });
  const download = async (format: string) => {
    const response = await fetch(`${service.baseUrl}/v1/bookings/${booking.id}/boarding-pass?format=${format}`, {
      headers: { "x-api-key": key.apiKey },
    });
    return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
  };
  return { service, download, path: `/v1/bookings/${booking.id}/boarding-pass`, apiKey: key.apiKey };
}

function lines(service: Service): readonly { readonly level: string; readonly msg: string; readonly pid?: number }[] {
  return service.stderr
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
}

/** The process id of the browser a service has said it has started. */
async function browserPidOf(service: Service): Promise<number> {
  const told = /"browser":"[^"]*"[^\n]*/.exec(service.stderr)?.[0] ?? "";
  const pid = Number(/"browserPid":(\d+)/.exec(told)?.[1]);
  expect(pid).toBeGreaterThan(0);
  return pid;
}

async function isGone(pid: number): Promise<boolean> {
  for (const giveUpAt = Date.now() + EXIT_TIMEOUT_MS; Date.now() < giveUpAt; await pause(50)) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
  }
  return false;
}

describe("the browser of a service", () => {
  test("without one a PDF is out of service, the log says why, and everything else works", async () => {
    const { service, download } = await startWithBooking({ BROWSER_PATH: "none" });
    const { status, bytes } = await download("pdf");
    expect(status).toBe(503);
    expect(JSON.parse(Buffer.from(bytes).toString())).toStrictEqual({
      statusCode: 503,
      message: "nothing can be printed as PDF; png and json need no browser",
      error: "Service Unavailable",
    });
    expect(service.stderr).toContain("BROWSER_PATH is none: nothing can be printed as PDF");
    const passes = JSON.parse(Buffer.from((await download("json")).bytes).toString());
    expect(await barcodesIn((await download("png")).bytes, "Aztec")).toStrictEqual([passes.passes[0].barcode.message]);
    expect((await service.stop()).code).toBe(0);
  });

  test("it ends with the service", async () => {
    const { service, download } = await startWithBooking({ BROWSER_PATH: browser.path });
    expect((await download("pdf")).status).toBe(200);
    const pid = await browserPidOf(service);
    expect((await service.stop()).code).toBe(0);
    expect(await isGone(pid)).toBe(true);
    expect(lines(service).filter(({ level }) => level === "error")).toStrictEqual([]);
  });

  test("it does not outlive a service that is killed, nor does a service mind that its browser is", async () => {
    const { service, download } = await startWithBooking({ BROWSER_PATH: browser.path });
    expect((await download("pdf")).status).toBe(200);
    process.kill(await browserPidOf(service), "SIGKILL");
    expect((await download("png")).status).toBe(200);
    const pids = [...service.stderr.matchAll(/"browserPid":(\d+)/g)].map(([, pid]) => Number(pid));
    expect(pids.length).toBe(2);
    await service.kill();
    for (const pid of pids) expect(await isGone(pid)).toBe(true);
  });

  test("for a PDF and a PNG the service itself loads nothing that draws", async () => {
    const list = join(folder(), "modules");
    const hook = new URL("../process/kit/list-modules.ts", import.meta.url);
    const listing = { NODE_OPTIONS: `--import ${hook}`, MODULE_LIST: list };
    const { service, download } = await startWithBooking({ BROWSER_PATH: browser.path, ...listing });
    expect([(await download("pdf")).status, (await download("png")).status]).toStrictEqual([200, 200]);
    await service.stop();
    const loaded = readFileSync(list, "utf8").split("\n");
    expect(loaded.filter((line) => line.includes("/boarding-pass-printer/src/")).length).toBeGreaterThan(0);
    const draws =
      /\/(?:puppeteer|sharp|bwip-js|@fontsource[^/]*)\/|\/boarding-pass-printer\/src\/(?:drawer|page|fonts|barcodes)/;
    expect(loaded.filter((line) => draws.test(line))).toStrictEqual([]);
  });
});

describe("with few open files", () => {
  test("64 are too few for a browser: a PDF is out of service, and a PNG has the barcodes", async () => {
    const { service, download } = await startWithBooking(
      { BROWSER_PATH: browser.path },
      { command: ["bash", "-c", 'ulimit -n 64; exec "$0" "$@"'] },
    );
    const { passes } = JSON.parse(Buffer.from((await download("json")).bytes).toString());
    expect((await download("pdf")).status).toBe(503);
    const png = await download("png");
    expect(png.status).toBe(200);
    expect(await barcodesIn(png.bytes, "Aztec")).toStrictEqual([passes[0].barcode.message]);
    // On a busy machine it may have started before it dies of that.
    expect(service.stderr).toMatch(/Too many open files|it was ended by SIGTRAP/);
  });

  test("where none is left for a printer, both are out of service", async () => {
    const { service, path, apiKey } = await startWithBooking({ BROWSER_PATH: browser.path });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (format: string) => {
      const asked = get(`${service.baseUrl}${path}?format=${format}`, { agent, headers: { "x-api-key": apiKey } });
      const [response] = (await once(asked, "response")) as [IncomingMessage];
      return [response.statusCode, JSON.parse(await text(response)).message];
    };
    expect(await ask("json")).toStrictEqual([200, undefined]);
    // What is open stays so, and nothing more can be opened.
    expect(spawnSync("prlimit", [`--pid=${service.process.pid}`, "--nofile=1"]).status).toBe(0);
    const refused = [503, "the boarding passes could not be drawn; try again"];
    expect([await ask("pdf"), await ask("png"), await ask("json")]).toStrictEqual([refused, refused, [200, undefined]]);
    agent.destroy();
  });
});
