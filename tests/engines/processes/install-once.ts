import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

/** Downloads included. */
const INSTALLED_WITHIN_MS = 5 * 60_000;

/**
 * The folder of what was installed by this list of versions; another one where the list has changed. An installation that
 * was cut off begins anew. @throws Error
 */
export async function installOnce(
  name: string,
  list: string,
  install: (folder: string) => Promise<void>,
): Promise<string> {
  const versions = createHash("sha256").update(fs.readFileSync(list)).digest("hex").slice(0, 16);
  const folder = path.join(import.meta.dirname, "../.build", `${name}-${versions}`);
  const installed = path.join(folder, "installed");
  if (!fs.existsSync(installed)) {
    fs.rmSync(folder, { recursive: true, force: true });
    await install(folder);
    fs.writeFileSync(installed, "");
  }
  return folder;
}

/** Runs a program that installs something. @throws Error */
export async function runInstaller(program: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)(program, args, { timeout: INSTALLED_WITHIN_MS, killSignal: "SIGKILL" });
}
