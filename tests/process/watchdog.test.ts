import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import { passportZone, pdfWithZone } from "@travel-booking/document-reviewer/testing";
import { Client } from "../end-to-end/kit/client.ts";
import { documentsOf, upload } from "../end-to-end/kit/upload.ts";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { Service } from "../support/service.ts";
import { until } from "../support/until.ts";

const ENV = { WATCHDOG_SECONDS: "2", LOG_LEVEL: "warn", RATE_LIMIT_PER_MINUTE: "0" };
const PASSENGERS = [{ name: "Ada Lovelace", email: "ada@example.com" }];

let service: Service;
afterEach(() => service.discard());

/** Until the watchdog has ended the process, and has said why. */
async function endedBecauseOf(thread: string): Promise<void> {
  const { signal, stderr } = await service.ended;
  expect(signal).toBe("SIGKILL");
  const lines = stderr.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    {
      level: "fatal",
      service: "standalone",
      thread,
      msg: `the event loop of the ${thread} thread has stood still for 2 s: the process ends, to be started again`,
    },
  ]);
}

test("a process whose event loop stands still says so and ends, and starts again where it was", async () => {
  service = await Service.start({ env: ENV, simulated: { hangAt: "book:allocated" } });
  await importFlights(service, [{ id: "WD-1", departsIn: 60 }]);
  const credential = await service.newApiKey();
  const body = { flightId: "WD-1", cabin: "economy", passengers: PASSENGERS };
  const book = () =>
    new ApiClient(service.baseUrl, credential).post("/v1/bookings", body, { "Idempotency-Key": "one" });
  await expect(book()).rejects.toThrow();
  await endedBecauseOf("main");
  service = await Service.start({ env: ENV, dataDir: service.dataDir });
  expect((await book()).status).toBe(201);
});

test("a due task in which it stood still is put off, and done alone", async () => {
  service = await Service.start({ env: ENV, simulated: { hangAt: "review:read" } });
  await importFlights(service, [{ id: "WD-1", departsIn: 60 }]);
  const credential = await service.newApiKey();
  const client = new Client(service.baseUrl, credential);
  const { id } = await client.newBooking("WD-1");
  const content = await pdfWithZone(passportZone({ surname: "LOVELACE", givenNames: "ADA", expiresOn: "391231" }));
  await upload(client, id, { content });
  await endedBecauseOf("main");
  const from = Date.now();
  service = await Service.start({ env: ENV, dataDir: service.dataDir });
  const again = new Client(service.baseUrl, credential);
  await until(async () => (await metrics()).includes("\nobligations_put_off 1\n"));
  expect((await documentsOf(again, id)).map(({ status }) => status)).toStrictEqual(["pending"]);
  const [line = ""] = service.stderr.split("\n");
  const { task, times, until: putOffUntil } = JSON.parse(line) as { task: string; times: number; until: string };
  expect([task.endsWith("/review_document"), times]).toStrictEqual([true, 1]);
  expect(Date.parse(putOffUntil)).toBeGreaterThanOrEqual(from + 10_000);
  await until(async () => (await documentsOf(again, id))[0]?.status !== "pending");
  expect((await documentsOf(again, id))[0]?.status).toBe("verified");
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(putOffUntil));
  await until(async () => (await metrics()).includes("\nobligations_put_off 0\n"));
});

test("a process that may open no file more from the moment it is ready goes on", async () => {
  service = await Service.start({ env: ENV });
  expect(spawnSync("prlimit", [`--pid=${service.process.pid}`, "--nofile=1"]).status).toBe(0);
  // Time is what this is about: nobody can ask it any more, and its watchdog looks once a second.
  await pause(1_500);
  expect(await service.stop()).toMatchObject({ code: 0, stderr: "" });
});

const metrics = async () => (await fetch(service.metricsUrl)).text();

test("so does a process whose projector stands still", async () => {
  const hanging = join(import.meta.dirname, "kit", "hanging-projector.ts");
  service = await Service.start({ env: { ...ENV, NODE_OPTIONS: `--import ${hanging}` } });
  writeFileSync(join(service.dataDir, "hang-projector"), "");
  await endedBecauseOf("projector");
});

test("a process that was suspended goes on", async () => {
  service = await Service.start({ env: ENV });
  service.process.kill("SIGSTOP");
  // Time is what this is about: longer than the watchdog is patient.
  await pause(4_000);
  service.process.kill("SIGCONT");
  for (const until = performance.now() + 3_000; performance.now() < until; ) {
    expect((await fetch(`${service.baseUrl}/health/live`)).status).toBe(200);
  }
  const { code, stderr } = await service.stop();
  expect([code, stderr]).toStrictEqual([0, ""]);
});
