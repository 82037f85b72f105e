import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { childEnvironment } from "../support/child-environment.ts";
import { Service } from "../support/service.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const MODULES = path.join(ROOT, "packages/client/node_modules");
const run = promisify(execFile);

const project = fs.mkdtempSync(path.join(os.tmpdir(), "generated-client-"));
let service: Service;
beforeAll(async () => {
  service = await Service.start({ env: { DEMO: "", RATE_LIMIT_PER_MINUTE: "0", BROWSER_PATH: "none" } });
});
afterAll(async () => {
  await service.discard();
  fs.rmSync(project, { recursive: true, force: true });
});

// The types that openapi-typescript makes are those of our own client, and tested with it.
test("a client that @hey-api/openapi-ts makes of the interface description compiles strictly, and books", async () => {
  const description = path.join(project, "openapi.json");
  fs.writeFileSync(description, await (await fetch(`${service.baseUrl}/v1/openapi.json`)).text());
  const { apiKey } = JSON.parse(fs.readFileSync(path.join(service.dataDir, "demo.json"), "utf8"));
  const PASSPORT = path.join(ROOT, "docs/examples/passport.pdf");
  const env = { ...childEnvironment(), BASE: service.baseUrl, API_KEY: apiKey, PASSPORT };
  const node = async (script: string, ...args: readonly string[]) => {
    const ended = run(process.execPath, [script, ...args], { cwd: project, env });
    return (await ended.catch((failed: { stdout: string; stderr: string }) => failed)) as Awaited<typeof ended>;
  };
  const generator = path.join(MODULES, "@hey-api/openapi-ts/bin/run.js");
  const output = path.join(project, "generated");
  const generated = await node(generator, "--input", description, "--output", output, "--silent", "--no-log-file");
  expect(generated).toStrictEqual({ stdout: "", stderr: "" });
  fs.writeFileSync(path.join(project, "package.json"), '{ "type": "module", "private": true }');
  fs.copyFileSync(path.join(import.meta.dirname, "kit/generated.txt"), path.join(project, "sample.ts"));
  const compilerOptions = {
    strict: true,
    target: "es2022",
    module: "nodenext",
    types: ["node"],
    typeRoots: [path.join(ROOT, "node_modules/@types")],
  };
  fs.writeFileSync(path.join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["sample.ts"] }));
  expect(await node(path.join(MODULES, "typescript/bin/tsc"), "-p", project)).toStrictEqual({ stdout: "", stderr: "" });
  const { stdout, stderr } = await node("sample.js");
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toStrictEqual({
    status: "pending",
    paid: "succeeded",
    uploaded: ["passport.pdf"],
    names: ["Ada Lovelace"],
    picture: "89504e47",
    listed: true,
    reference: "generated",
    first: "payment.succeeded",
    missing: 404,
    withoutKey: ["Idempotency-Key is required"],
  });
});
