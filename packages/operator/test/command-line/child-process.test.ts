import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { FakeOperatorService } from "./fake-operator-service.ts";

const MAIN = fileURLToPath(new URL("../../src/command-line/main.ts", import.meta.url));

let service: FakeOperatorService;
let url: string;
let folder: string;

beforeEach(async () => {
  service = new FakeOperatorService();
  url = await service.start();
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "operator-cli-")));
});
afterEach(async () => {
  await service.stop();
  fs.rmSync(folder, { recursive: true });
});

function cli(
  line: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { PATH: process.env.PATH, ...env } };
    execFile(process.execPath, [MAIN, ...line], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

test("prints one JSON value and nothing else", async () => {
  service.on("GET /operator/clock", { json: { now: "2026-11-01T00:00:00.000Z", offsetSeconds: 0 } });
  expect(await cli(["clock", "show", "--json"], { OPERATOR_URL: url, OPERATOR_TOKEN: "t" })).toStrictEqual({
    code: 0,
    stdout: '{"now":"2026-11-01T00:00:00.000Z","offsetSeconds":0}\n',
    stderr: "",
  });
});

test("a long stream arrives whole", async () => {
  const lines = Array.from({ length: 10_000 }, (_, revision) => ({ revision, text: "x".repeat(50) }));
  service.on("GET /operator/streams/s", { lines });
  const { code, stdout } = await cli(["stream", "show", "s", "--json"], { OPERATOR_URL: url, OPERATOR_TOKEN: "t" });
  expect(code).toBe(0);
  expect(stdout).toBe(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
});

test("looks into ./data unless told otherwise", async () => {
  fs.mkdirSync(path.join(folder, "data"));
  fs.writeFileSync(path.join(folder, "data", "operator.json"), JSON.stringify({ operatorUrl: url }));
  fs.writeFileSync(path.join(folder, "data", "operator-token"), "t");
  service.on("GET /operator/accounts", { json: { data: [] } });
  expect(await cli(["account", "list"], {})).toStrictEqual({ code: 0, stdout: "none\n", stderr: "" });
});

test("a path is meant where npm was called from", async () => {
  const env = { OPERATOR_URL: url, OPERATOR_TOKEN: "t", npm_lifecycle_event: "operator", INIT_CWD: "/elsewhere" };
  service.on("POST /operator/backup", { json: { path: "/elsewhere/copy", bytes: 1 } });
  expect((await cli(["backup", "copy"], env)).code).toBe(0);
  expect((await cli(["backup", "copy"], { ...env, npm_lifecycle_event: "test" })).code).toBe(0);
  expect(service.seen.map(({ body }) => body)).toStrictEqual([
    { path: "/elsewhere/copy" },
    { path: path.join(folder, "copy") },
  ]);
});

test("exit codes reach the shell", async () => {
  expect((await cli(["fly"], {})).code).toBe(2);
  expect((await cli(["account", "list"], { OPERATOR_URL: url, OPERATOR_TOKEN: "t" })).code).toBe(1);
});
