import { execFile } from "node:child_process";
import { resolve } from "node:path";

const CLI = resolve(import.meta.dirname, "../../../packages/operator-cli/src/main.ts");

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command of the operator's command line, as somebody who knows only the data folder. */
export function operatorCli(dataDir: string, ...line: readonly string[]): Promise<Ran> {
  const { NODE_OPTIONS: _, ...own } = process.env;
  return new Promise((done) => {
    const env = { ...own, DATA_DIR: dataDir };
    const child = execFile(process.execPath, [CLI, ...line], { env }, (_error, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/** The one JSON value a command answers with. @throws Error it failed, or said anything else. */
export async function operatorJson<Value>(dataDir: string, ...line: readonly string[]): Promise<Value> {
  const { code, stdout, stderr } = await operatorCli(dataDir, ...line, "--json");
  if (code !== 0 || stderr !== "") throw new Error(`${line.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Value;
}
