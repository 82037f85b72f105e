import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Receiver } from "@travel-booking/webhooks/receiver/testing";
import { findGo } from "../engines/go/go-program.ts";
import { installForPython, pythonMissingReason } from "../engines/processes/python.ts";
import { titleOfSkipped } from "../engines/title-of-skipped.ts";
import { ApiClient } from "../support/api-client.ts";
import { Service } from "../support/service.ts";
import { blocksOf } from "./kit/blocks-of.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const GUIDE = path.join(ROOT, "query-service/guides/7-webhooks.md");
const KIT = path.join(import.meta.dirname, "kit/webhooks");

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "webhook-guide-"));
let service: Service;
let receiver: Receiver;
/** Ours; changed on its way; of another endpoint. */
let deliveries: readonly object[];

beforeAll(async () => {
  service = await Service.start({ env: { DEMO: "", WEBHOOK_ALLOW_PRIVATE_TARGETS: "true" } });
  receiver = await Receiver.start();
  const { apiKey } = JSON.parse(fs.readFileSync(path.join(service.dataDir, "demo.json"), "utf8"));
  const api = new ApiClient(service.baseUrl, { apiKey });
  const endpoint = { url: receiver.url, events: ["booking.confirmed"] };
  const made = await api.post<{ id: string; secret: string }>("/v1/webhook-endpoints", endpoint);
  const other = await api.post<{ secret: string }>("/v1/webhook-endpoints", endpoint);
  await api.post(`/v1/webhook-endpoints/${made.body.id}/test`, { type: "booking.confirmed" });
  await receiver.untilCount(1);
  const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
  const ours = { secret: made.body.secret, headers, body };
  deliveries = [
    ours,
    { ...ours, body: body.replace("confirmed", "cancelled") },
    { ...ours, secret: other.body.secret },
  ];
  fs.cpSync(KIT, folder, { recursive: true });
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
});
afterAll(async () => {
  await receiver.stop();
  await service.discard();
  fs.rmSync(folder, { recursive: true });
});

/** What a program says of the deliveries. */
async function said(program: string, ...args: readonly string[]): Promise<unknown> {
  const child = spawn(program, args, { cwd: folder, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(JSON.stringify(deliveries));
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return code === 0 ? JSON.parse(stdout) : stderr;
}

function writeBlock(language: string, file: string, beginning = ""): void {
  const [block = ""] = blocksOf(GUIDE, language);
  fs.writeFileSync(path.join(folder, file), beginning + block);
}

const RIGHT = ["booking.confirmed", "refused", "refused"];

test("the guide's lines for Node take what is ours, and nothing else", async () => {
  fs.renameSync(path.join(folder, "main.txt"), path.join(folder, "main.mjs"));
  writeBlock("js", "receive.mjs");
  expect(await said(process.execPath, "main.mjs")).toStrictEqual(RIGHT);
});

const [noPython, noGo] = [pythonMissingReason("the guide's lines for Python"), findGo() === undefined];

(noPython === undefined ? test : test.skip)(
  noPython === undefined ? "those for Python, too" : titleOfSkipped("those for Python", noPython),
  async () => {
    const programs = await installForPython("webhook-guide", path.join(KIT, "requirements.txt"));
    writeBlock("python", "receive.py");
    expect(await said(path.join(programs, "python"), "main.py")).toStrictEqual(RIGHT);
  },
);

(noGo ? test.skip : test)(
  noGo ? titleOfSkipped("those for Go", "Go is not installed") : "those for Go, too",
  async () => {
    writeBlock("go", "receive.go", "package main\n\n");
    expect(await said(findGo() ?? "", "run", ".")).toStrictEqual(RIGHT);
  },
);
