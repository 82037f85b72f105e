import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ADA, Client } from "../end-to-end/kit/client.ts";
import { flightOf } from "../end-to-end/kit/world.ts";
import { Service } from "../support/service.ts";
import { browserForTests, type TestBrowser } from "./kit/browser.ts";
import { barcodesIn } from "./kit/read-barcodes.ts";

/** Real time; generous, since the machine may be busy. */
const EXIT_TIMEOUT_MS = 20_000;

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
async function startWithBooking(env: Readonly<Record<string, string>>) {
  const service = await Service.start({ env });
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
  return { service, download };
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
    expect((await download("pdf")).status).toBe(200);
    const pids = [...service.stderr.matchAll(/"browserPid":(\d+)/g)].map(([, pid]) => Number(pid));
    expect(pids.length).toBe(2);
    await service.kill();
    for (const pid of pids) expect(await isGone(pid)).toBe(true);
  });
});
