import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

/** The root folder of the workspace. */
export const ROOT = path.resolve(import.meta.dirname, "../..");

/** Runs a program of `node_modules` in the root folder, its output going where ours goes. True when it ended well. */
export async function runProgram(
  script: string,
  options: {
    readonly nodeFlags?: readonly string[];
    readonly line: readonly string[];
    readonly env?: NodeJS.ProcessEnv;
  },
): Promise<boolean> {
  const program = path.join(ROOT, "node_modules", script);
  const child = spawn(process.execPath, [...(options.nodeFlags ?? []), program, ...options.line], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, ...options.env },
  });
  const [code] = await once(child, "exit");
  return code === 0;
}
