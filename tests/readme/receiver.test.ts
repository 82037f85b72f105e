import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { freePort } from "../engines/processes/free-port.ts";
import { childEnvironment } from "../support/child-environment.ts";
import { type Endpoint, World } from "../webhooks/kit/world.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const EVENTS_PAGE = readFileSync(join(ROOT, "docs/events.md"), "utf8");

let world: World;
let folder: string;
let child: ChildProcess | undefined;
let said = "";

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "receiver-"));
  said = "";
  world = await World.open();
});
afterEach(async () => {
  child?.kill("SIGKILL");
  await world.close();
  rmSync(folder, { recursive: true });
});

async function run(line: readonly string[], env: Readonly<Record<string, string>>, port: number): Promise<void> {
  child = spawn(process.execPath, line, {
    env: { ...childEnvironment(), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout?.on("data", (chunk) => {
    said += chunk;
  });
  while ((await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)) === undefined) await pause(20);
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(20);
}

/** Goes away in the middle of a request. */
async function breakOff(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{");
  await once(socket, "ready");
  await pause(50);
  socket.resetAndDestroy();
  await once(socket, "close");
}

/** An endpoint that leads to a port where nobody listens yet. */
async function newEndpoint(): Promise<{ readonly endpoint: Endpoint; readonly port: number }> {
  const port = await freePort();
  return { endpoint: await world.endpoint(`http://127.0.0.1:${port}/`), port };
}

test("the receiver of the page about webhooks, as it is written, takes deliveries and tells false ones", async () => {
  const [, source = ""] = /^```js receiver\n([\s\S]*?)^```$/m.exec(EVENTS_PAGE) ?? [];
  const lines = source.split("\n").filter((line) => line !== "" && !line.startsWith("import"));
  expect(lines.length).toBeLessThanOrEqual(11);
  const file = join(folder, "receiver.mjs");
  writeFileSync(file, source);
  const { endpoint, port } = await newEndpoint();
  await run([file], { PORT: String(port), WEBHOOK_SECRET: endpoint.secret }, port);

  const answer = await world.api.post<{ status: string; event: { id: string } }>(
    `/v1/webhook-endpoints/${endpoint.id}/test`,
    { type: "booking.confirmed" },
  );
  expect(answer.body).toMatchObject({ status: "succeeded", responseStatus: 204 });
  const bookingId = await world.book();
  await world.change(bookingId, "A");
  await until(() => said.split("\n").length > 2);
  const [changed] = await world.changesOf(bookingId);
  expect(said).toBe(`${answer.body.event.id}\n${changed}\n`);

  const post = (signature: string, body = "{}") =>
    fetch(`http://127.0.0.1:${port}/`, { method: "POST", body, headers: { "service-signature": signature } });
  await breakOff(port);
  await expect(post("", "x".repeat(2_000_000))).rejects.toThrow();
  for (const signature of ["", "00", "0".repeat(64), "no hex at all"]) expect((await post(signature)).status).toBe(400);
});

test("npm run receiver prints what arrives and whether its signature is right", async () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: { receiver: string } };
  const [, ...program] = scripts.receiver.split(" ");
  const { endpoint, port } = await newEndpoint();
  const line = [...program.map((part) => join(ROOT, part)), "--port", String(port), "--secret", endpoint.secret];
  await run(line, {}, port);
  await world.api.post(`/v1/webhook-endpoints/${endpoint.id}/test`, { type: "payment.failed" });
  await until(() => said.includes("payment.failed"));
  expect(said).toMatch(/signature right {2}\{"id":"evt_[0-9a-f]+","type":"payment.failed","object":"pay_sample"\}/);
});
