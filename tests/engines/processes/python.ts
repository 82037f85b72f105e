import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { findCommand } from "./find-command.ts";

/** Downloads included. */
const INSTALLED_WITHIN_MS = 5 * 60_000;

/** Why what is written in Python cannot be had; undefined: it can, as far as can be told before it is installed. */
export function pythonMissingReason(what: string): string | undefined {
  return findCommand("python3") === undefined ? `Python is not installed, which runs ${what}` : undefined;
}

/**
 * The folder of a Python's programs, `python` among them, with packages in the versions of a file of requirements. They are
 * installed first if need be. @throws Error
 */
export async function installForPython(name: string, requirements: string): Promise<string> {
  const versions = createHash("sha256").update(fs.readFileSync(requirements)).digest("hex").slice(0, 16);
  const folder = path.join(import.meta.dirname, "../.build", `${name}-${versions}`);
  const installed = path.join(folder, "installed");
  if (!fs.existsSync(installed)) {
    fs.rmSync(folder, { recursive: true, force: true });
    await run("python3", ["-m", "venv", folder]);
    await run(path.join(folder, "bin/pip"), ["install", "--quiet", "--requirement", requirements]);
    fs.writeFileSync(installed, "");
  }
  return path.join(folder, "bin");
}

function run(program: string, args: readonly string[]) {
  return promisify(execFile)(program, args, { timeout: INSTALLED_WITHIN_MS, killSignal: "SIGKILL" });
}
