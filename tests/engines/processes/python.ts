import path from "node:path";
import { findCommand } from "./find-command.ts";
import { installOnce, runInstaller } from "./install-once.ts";

/** Why what is written in Python cannot be had; undefined: it can, as far as can be told before it is installed. */
export function pythonMissingReason(what: string): string | undefined {
  return findCommand("python3") === undefined ? `Python is not installed, which runs ${what}` : undefined;
}

/**
 * The folder of a Python's programs, `python` among them, with packages in the versions of a file of requirements. They are
 * installed first if need be. @throws Error
 */
export async function installForPython(name: string, requirements: string): Promise<string> {
  const folder = await installOnce(name, requirements, async (into) => {
    await runInstaller("python3", ["-m", "venv", into]);
    await runInstaller(path.join(into, "bin/pip"), ["install", "--quiet", "--requirement", requirements]);
  });
  return path.join(folder, "bin");
}
