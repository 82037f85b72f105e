import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { childEnvironment } from "../../support/child-environment.ts";
import { type Installation, OPERATOR_TOKEN } from "../../support/distributed/installation.ts";

const CLI = resolve(import.meta.dirname, "../../../packages/operator-cli/src/main.ts");

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command of the operator's command line against the first command-service. */
export function operatorCli({ operatorUrl }: Installation, ...line: readonly string[]): Promise<Ran> {
  const env = { ...childEnvironment(), OPERATOR_URL: operatorUrl, OPERATOR_TOKEN };
  return new Promise((done) => {
    const child = execFile(process.execPath, [CLI, ...line], { env }, (_error, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/** The one JSON value a command answers with. @throws Error it failed, or said anything else. */
export async function operatorJson<Value>(installation: Installation, ...line: readonly string[]): Promise<Value> {
  const { code, stdout, stderr } = await operatorCli(installation, ...line, "--json");
  if (code !== 0 || stderr !== "") throw new Error(`${line.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Value;
}
