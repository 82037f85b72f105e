import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { findCommand } from "../engines/processes/find-command.ts";

const REQUIREMENTS = path.join(import.meta.dirname, "requirements.txt");
/** Downloads included. */
const INSTALLED_WITHIN_MS = 5 * 60_000;

/** Why Schemathesis cannot be had; undefined: it can, as far as can be told before it is installed. */
export function missingReason(): string | undefined {
  return findCommand("python3") === undefined ? "Python is not installed, which runs Schemathesis" : undefined;
}

/** The program, which is installed first if need be, in the versions of `requirements.txt`. @throws Error */
export async function installSchemathesis(): Promise<string> {
  const versions = createHash("sha256").update(fs.readFileSync(REQUIREMENTS)).digest("hex").slice(0, 16);
  const folder = path.join(import.meta.dirname, "../engines/.build", `schemathesis-${versions}`);
  const installed = path.join(folder, "installed");
  if (!fs.existsSync(installed)) {
    fs.rmSync(folder, { recursive: true, force: true });
    await run("python3", ["-m", "venv", folder]);
    await run(path.join(folder, "bin/pip"), ["install", "--quiet", "--requirement", REQUIREMENTS]);
    fs.writeFileSync(installed, "");
  }
  return path.join(folder, "bin/schemathesis");
}

function run(program: string, args: readonly string[]) {
  return promisify(execFile)(program, args, { timeout: INSTALLED_WITHIN_MS, killSignal: "SIGKILL" });
}
