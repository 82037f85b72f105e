import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { childEnvironment } from "./child-environment.ts";

const CLI = resolve(import.meta.dirname, "../../packages/operator/start.js");

/** What tells the command line where the operator interface is: the data folder on the same machine, or its address. */
export type OperatorEnvironment =
  | { readonly DATA_DIR: string }
  | { readonly OPERATOR_URL: string; readonly OPERATOR_TOKEN: string };

/** What a command has come to. */
export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command of the operator's command line, as somebody who knows no more than this. */
export function operatorCli(where: OperatorEnvironment, ...line: readonly string[]): Promise<CliResult> {
  const env = { ...childEnvironment(), ...where };
  return new Promise((done) => {
    const child = execFile(process.execPath, [CLI, ...line], { env }, (_error, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/** The one JSON value a command answers with. @throws Error it failed, or said anything else. */
export async function operatorJson<Value>(where: OperatorEnvironment, ...line: readonly string[]): Promise<Value> {
  const { code, stdout, stderr } = await operatorCli(where, ...line, "--json");
  if (code !== 0 || stderr !== "") throw new Error(`${line.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Value;
}
