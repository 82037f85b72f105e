import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { childEnvironment } from "../../support/child-environment.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
export const CLIENT = path.join(ROOT, "packages/client");
const run = promisify(execFile);

/** Packs the client and installs it into an empty project. Returns the project's folder. */
export async function installClient(): Promise<string> {
  const project = fs.mkdtempSync(path.join(os.tmpdir(), "travel-booking-client-"));
  const npm = (args: readonly string[], cwd: string) => run("npm", args, { cwd, env: childEnvironment() });
  await npm(["pack", "--pack-destination", project], CLIENT);
  fs.writeFileSync(path.join(project, "package.json"), '{ "type": "module", "private": true }');
  const [archive = ""] = fs.readdirSync(project).filter((name) => name.endsWith(".tgz"));
  await npm(["install", "--offline", "--no-audit", "--no-fund", `./${archive}`], project);
  for (const ending of ["mts", "cts"]) {
    fs.copyFileSync(path.join(import.meta.dirname, "sample.txt"), path.join(project, `sample.${ending}`));
  }
  return project;
}

/** How TypeScript may look for a package, and what the program is there: modules, CommonJS, or each. */
const RESOLUTIONS = {
  nodenext: [{ module: "nodenext" }, ["sample.mts", "sample.cts"]],
  node16: [{ module: "node16" }, ["sample.mts", "sample.cts"]],
  bundler: [{ module: "esnext", moduleResolution: "bundler" }, ["sample.mts"]],
  node: [{ module: "commonjs", moduleResolution: "node" }, ["sample.mts"]],
} as const;
export type Resolution = keyof typeof RESOLUTIONS;
export const ALL_RESOLUTIONS = Object.keys(RESOLUTIONS) as Resolution[];

/**
 * What a TypeScript complains about in a program that uses the client, strictly, libraries included.
 * @param typescript the package of the compiler.
 * @param types those of Node, or none: then those of browsers.
 */
export async function compile(
  project: string,
  typescript: string,
  resolution: Resolution,
  types: readonly "node"[],
): Promise<string> {
  const [module, files] = RESOLUTIONS[resolution];
  const options = { strict: true, noEmit: true, skipLibCheck: false, exactOptionalPropertyTypes: true };
  const lib = types.length === 0 ? ["es2022", "dom", "dom.iterable"] : ["es2022"];
  const known = { target: "es2022", lib, types, typeRoots: [path.join(ROOT, "node_modules/@types")] };
  const config = { compilerOptions: { ...options, ...known, ...module }, files };
  fs.writeFileSync(path.join(project, "tsconfig.json"), JSON.stringify(config));
  const compiling = run(process.execPath, [path.join(typescript, "bin/tsc"), "-p", project], {
    env: childEnvironment(),
  });
  const { stdout } = await compiling.catch((failed: { readonly stdout: string }) => failed);
  return stdout;
}
