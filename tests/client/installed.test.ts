import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { childEnvironment } from "../support/child-environment.ts";
import { Service } from "../support/service.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const CLIENT = path.join(ROOT, "packages/client");
const run = promisify(execFile);

/** TypeScript of today, and the one before that most projects have. */
const COMPILERS = [path.join(ROOT, "node_modules"), path.join(CLIENT, "node_modules")];

/** The Node of this run, and the one that the machine has, where that is another. */
const NODES = [...new Set([process.execPath, ...installedNodes()])];

function installedNodes(): readonly string[] {
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => !folder.includes("node_modules"));
  const found = folders.map((folder) => path.join(folder, "node")).find((file) => fs.existsSync(file));
  return found === undefined ? [] : [fs.realpathSync(found)];
}

let project: string;

beforeAll(async () => {
  project = fs.mkdtempSync(path.join(os.tmpdir(), "travel-booking-client-"));
  const npm = (args: readonly string[], cwd: string) => run("npm", args, { cwd, env: childEnvironment() });
  await npm(["pack", "--pack-destination", project], CLIENT);
  fs.writeFileSync(path.join(project, "package.json"), '{ "type": "module", "private": true }');
  const [archive = ""] = fs.readdirSync(project).filter((name) => name.endsWith(".tgz"));
  await npm(["install", "--offline", "--no-audit", "--no-fund", `./${archive}`], project);
});
afterAll(() => fs.rmSync(project, { recursive: true, force: true }));

test("the package is JavaScript, types and a page, and brings nothing else", () => {
  expect(fs.readdirSync(path.join(project, "node_modules")).sort()).toStrictEqual([
    ".package-lock.json",
    "@travel-booking",
  ]);
  const files = fs.readdirSync(path.join(project, "node_modules/@travel-booking/client"), { recursive: true });
  const kinds = new Set(files.map((file) => /\.(?:d\.ts|js|json|md)$/.exec(String(file))?.[0]));
  expect([...kinds].map(String).sort()).toStrictEqual([".d.ts", ".js", ".json", ".md", "undefined"]);
});

describe("its types", () => {
  const compile = (modules: string, types: readonly string[]) => {
    const options = { strict: true, noEmit: true, skipLibCheck: false, exactOptionalPropertyTypes: true };
    const lib = types.length === 0 ? ["es2022", "dom", "dom.iterable"] : ["es2022"];
    const module = {
      target: "es2022",
      module: "nodenext",
      lib,
      types,
      typeRoots: [path.join(ROOT, "node_modules/@types")],
    };
    const config = { compilerOptions: { ...options, ...module }, files: ["sample.ts"] };
    fs.writeFileSync(path.join(project, "tsconfig.json"), JSON.stringify(config));
    fs.copyFileSync(path.join(import.meta.dirname, "kit/sample.txt"), path.join(project, "sample.ts"));
    return run(process.execPath, [path.join(modules, "typescript/bin/tsc"), "-p", project], {
      env: childEnvironment(),
    }).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  };

  test.each(COMPILERS)("compile strictly, for browsers and Node, and refuse what is wrong: %s", async (modules) => {
    expect([await compile(modules, []), await compile(modules, ["node"])]).toStrictEqual(["", ""]);
  });
});

describe("against a running service", () => {
  let service: Service;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    service = await Service.start({ env: { DEMO: "", RATE_LIMIT_PER_MINUTE: "0", BROWSER_PATH: "none" } });
    const demo = JSON.parse(fs.readFileSync(path.join(service.dataDir, "demo.json"), "utf8")) as Record<string, string>;
    const { apiKey: API_KEY, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } = demo;
    env = { ...childEnvironment(), BASE: service.baseUrl, API_KEY, CLIENT_ID, CLIENT_SECRET };
  });
  afterAll(() => service.discard());

  const script = async (node: string, name: string, code: string) => {
    fs.writeFileSync(path.join(project, name), code);
    return (await run(node, [name], { cwd: project, env })).stdout;
  };

  test.each(NODES)("the README's lines run on %s", async (node) => {
    const readme = fs.readFileSync(path.join(ROOT, "README.md"), "utf8");
    const [, lines = ""] = /^```js client\n([\s\S]*?)^```$/m.exec(readme) ?? [];
    expect(await script(node, "readme.js", lines)).toMatch(
      /^succeeded null\n(?:(?:pending|confirmed|cancelled)\n)*confirmed\n/,
    );
  });

  test.each(NODES)("the journey runs on %s", async (node) => {
    const code = fs.readFileSync(path.join(import.meta.dirname, "kit/journey.txt"), "utf8");
    const PASSPORT = path.join(ROOT, "docs/examples/passport.pdf");
    env = { ...env, PASSPORT };
    expect(JSON.parse(await script(node, "journey.js", code))).toStrictEqual({
      held: "active",
      created: "pending",
      declined: ["failed", "card_declined"],
      paid: "succeeded",
      again: true,
      followed: ["payment.failed", "payment.succeeded", "booking.confirmed"],
      pass: expect.stringMatching(/^\d+[A-Z]$/),
      uploaded: ["passport.pdf"],
      previous: "client-1",
      refunded: 1000,
      cancelled: "cancelled",
      history: true,
      missing: ["NotFoundError", 404, true],
      invalid: ["BadRequestError", 3],
      deleted: "NotFoundError",
    });
  });
});
