import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";

const SERVICE = fileURLToPath(new URL("./kit/small-service.ts", import.meta.url));

function start(stdio: StdioOptions): ChildProcess {
  return spawn(process.execPath, [SERVICE], { stdio, env: { PATH: process.env.PATH } });
}

/** It is ready, logs, is still there after both, and stops in good order. */
async function expectToGoOn(service: ChildProcess): Promise<void> {
  const ended = once(service, "exit");
  expect(await once(service, "message")).toStrictEqual(["ready", undefined]);
  for (let round = 0; round < 2; round += 1) {
    service.send("log");
    expect(await once(service, "message")).toStrictEqual(["logged", undefined]);
  }
  service.kill("SIGTERM");
  expect(await ended).toStrictEqual([0, null]);
}

test("a service whose summary nobody reads any more goes on", async () => {
  const service = start(["ignore", "pipe", "ignore", "ipc"]);
  service.stdout?.destroy();
  await expectToGoOn(service);
});

test("a service whose log nobody reads any more goes on", async () => {
  const service = start(["ignore", "ignore", "pipe", "ipc"]);
  service.stderr?.destroy();
  await expectToGoOn(service);
});

(process.platform === "linux" ? test : test.skip)(
  "a service that can write neither summary nor log for want of space goes on",
  async () => {
    const full = openSync("/dev/full", "w");
    const service = start(["ignore", full, full, "ipc"]);
    closeSync(full);
    await expectToGoOn(service);
  },
);
