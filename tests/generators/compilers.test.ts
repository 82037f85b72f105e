import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ALL_RESOLUTIONS, compile, installClient } from "../client/kit/installed-client.ts";
import { installOnce, runInstaller } from "../engines/processes/install-once.ts";

const LIST = path.join(import.meta.dirname, "kit/typescript/package.json");
const COMPILERS = Object.keys(JSON.parse(fs.readFileSync(LIST, "utf8")).dependencies);
/** Downloads included. */
const PREPARED_WITHIN_MS = 10 * 60_000;

let project: string;
let compilers: string;
beforeAll(async () => {
  project = await installClient();
  compilers = await installOnce("typescript", LIST, async (folder) => {
    fs.cpSync(path.dirname(LIST), folder, { recursive: true });
    await runInstaller("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund"]);
  });
}, PREPARED_WITHIN_MS);
afterAll(() => fs.rmSync(project, { recursive: true, force: true }));

test.each(COMPILERS)("our own client's types compile strictly with %s, however it looks for them", async (compiler) => {
  const typescript = path.join(compilers, "node_modules", compiler);
  const complaints: string[] = [];
  // The types of Node itself need newer ones.
  for (const resolution of ALL_RESOLUTIONS) complaints.push(await compile(project, typescript, resolution, []));
  expect(complaints).toStrictEqual(ALL_RESOLUTIONS.map(() => ""));
});
