import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { findGo } from "../engines/go/go-program.ts";
import { jarsFromMaven, mavenMissingReason } from "../engines/processes/maven.ts";
import { installForPython, pythonMissingReason } from "../engines/processes/python.ts";
import { titleOfSkipped } from "../engines/title-of-skipped.ts";
import { childEnvironment } from "../support/child-environment.ts";
import { Service } from "../support/service.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const KIT = path.join(import.meta.dirname, "kit");
/** Downloads included. */
const PREPARED_WITHIN_MS = 10 * 60_000;

/** What the program of each generated client says. */
const BOOKED = {
  booked: "pending",
  paid: "card",
  status: "confirmed",
  events: ["booking.confirmed", "payment.succeeded"],
  missing: 404,
  invalid: ["cursor is not one this list has given for these filters"],
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "generators-"));
const description = path.join(folder, "openapi.json");
let service: Service;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  service = await Service.start({ env: { DEMO: "", RATE_LIMIT_PER_MINUTE: "0", BROWSER_PATH: "none" } });
  const { apiKey } = JSON.parse(fs.readFileSync(path.join(service.dataDir, "demo.json"), "utf8")) as { apiKey: string };
  env = { ...childEnvironment(), BASE: service.baseUrl, API_KEY: apiKey };
  fs.cpSync(KIT, folder, { recursive: true });
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  fs.writeFileSync(description, await (await fetch(`${service.baseUrl}/v1/openapi.json`)).text());
});
afterAll(async () => {
  await service.discard();
  fs.rmSync(folder, { recursive: true });
});

const there = (...names: readonly string[]) => path.join(folder, ...names);

/** What a program writes, run in a folder of the kit's copy. @throws Error with all that it wrote. */
async function said(cwd: string, program: string, ...args: readonly string[]): Promise<string> {
  const running = promisify(execFile)(program, args, { cwd: there(cwd), env, maxBuffer: 2 ** 26 });
  const ended = await running.catch((failed: Error & { readonly stdout: string }) => {
    throw new Error(`${failed.message}\n${failed.stdout}`);
  });
  return ended.stdout;
}

/** Compiles a program strictly, with the client it uses, and runs it. */
async function saidInTypeScript(cwd: string): Promise<string> {
  fs.renameSync(there(cwd, "book.txt"), there(cwd, "book.ts"));
  await said(cwd, process.execPath, path.join(ROOT, "node_modules/typescript/bin/tsc"), "-p", ".");
  return said(cwd, process.execPath, "book.js");
}

function describeUnless(missing: string | undefined, title: string, cases: () => void): void {
  if (missing === undefined) describe(title, cases);
  else describe.skip(titleOfSkipped(title, missing), cases);
}

const pythonMissing = pythonMissingReason("what is generated for it");
const goMissing = findGo() === undefined ? "Go is not installed, which builds what is generated for it" : undefined;

let programs: string;
const preparePython = async () => {
  programs = await installForPython("generators", path.join(KIT, "requirements.txt"));
  // Of these openapi-python-client runs one that formats.
  env.PATH = [env.PATH, programs].join(path.delimiter);
};

describeUnless(mavenMissingReason("openapi-generator"), "openapi-generator", () => {
  const FILES_ALONE = { apiTests: "false", modelTests: "false", apiDocs: "false", modelDocs: "false" };
  const OPTIONS = {
    // It neither prefixes words of the same name nor compares constants, unless told.
    go: { enumClassPrefix: true, useOneOfDiscriminatorLookup: true, withGoMod: false },
    java: {},
    python: {},
    "typescript-fetch": { importFileExtension: ".js" },
  };
  let jars: string;

  beforeAll(async () => {
    jars = await jarsFromMaven("openapi-generator", path.join(KIT, "pom.xml"));
    const files = Object.entries(OPTIONS).map(([generatorName, additionalProperties]) => {
      const outputDir = there(`openapi-generator-${generatorName}`);
      const file = path.join(outputDir, "generator.json");
      const options = { inputSpec: description, outputDir, globalProperties: FILES_ALONE, additionalProperties };
      fs.writeFileSync(file, JSON.stringify({ generatorName, ...options }));
      return file;
    });
    await said("", "java", "-jar", path.join(jars, "openapi-generator-cli.jar"), "batch", "--fail-fast", ...files);
  }, PREPARED_WITHIN_MS);

  test("makes a client in Java that compiles, and books", async () => {
    const cwd = "openapi-generator-java";
    const sources = fs.globSync("src/main/**/*.java", { cwd: there(cwd) });
    const libraries = fs.readdirSync(jars).filter((name) => name.endsWith(".jar") && !name.includes("generator-cli"));
    const classPath = ["classes", ...libraries.map((name) => path.join(jars, name))].join(path.delimiter);
    await said(cwd, "javac", "-proc:none", "-nowarn", "-d", "classes", "-cp", classPath, "Book.java", ...sources);
    expect(JSON.parse(await said(cwd, "java", "-cp", classPath, "Book"))).toStrictEqual(BOOKED);
  });

  test("makes a client in TypeScript that compiles, and books", async () => {
    expect(JSON.parse(await saidInTypeScript("openapi-generator-typescript-fetch"))).toStrictEqual(BOOKED);
  });

  describeUnless(goMissing, "for Go", () => {
    test("makes a client that compiles, and books", async () => {
      expect(JSON.parse(await said("openapi-generator-go", findGo() ?? "", "run", "./book"))).toStrictEqual(BOOKED);
    });
  });

  describeUnless(pythonMissing, "for Python", () => {
    beforeAll(preparePython, PREPARED_WITHIN_MS);

    test("makes a client that books", async () => {
      const ended = await said("openapi-generator-python", path.join(programs, "python"), "book.py");
      expect(JSON.parse(ended)).toStrictEqual(BOOKED);
    });
  });
});

describeUnless(pythonMissing, "Python's tools", () => {
  beforeAll(preparePython, PREPARED_WITHIN_MS);

  test("openapi-spec-validator finds nothing wrong", async () => {
    expect(await said("", path.join(programs, "openapi-spec-validator"), description)).toBe(`${description}: OK\n`);
  });

  test("openapi-python-client makes a client without a warning, and it books", async () => {
    const cwd = "openapi-python-client";
    const options = ["--path", description, "--meta", "none", "--output-path", "generated", "--fail-on-warning"];
    await said(cwd, path.join(programs, "openapi-python-client"), "generate", ...options);
    expect(JSON.parse(await said(cwd, path.join(programs, "python"), "book.py"))).toStrictEqual(BOOKED);
  });
});

describeUnless(goMissing, "Go", () => {
  const cwd = "oapi-codegen";
  const go = findGo() ?? "";
  // It is built first.
  beforeAll(async () => {
    await said(cwd, go, "tool", "oapi-codegen", "-config", "generator.yaml", description);
  }, PREPARED_WITHIN_MS);

  test("oapi-codegen makes a client that compiles, and books", async () => {
    expect(JSON.parse(await said(cwd, go, "run", "."))).toStrictEqual(BOOKED);
  });
});

test("openapi-typescript makes types by which a program compiles, and books", async () => {
  const cwd = "openapi-typescript";
  const program = path.join(ROOT, "packages/client/node_modules/openapi-typescript/bin/cli.js");
  await said(cwd, process.execPath, program, description, "--output", "generated.ts");
  expect(JSON.parse(await saidInTypeScript(cwd))).toStrictEqual(BOOKED);
});
