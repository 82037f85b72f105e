import { execFile } from "node:child_process";
import { findCommand } from "../../engines/processes/find-command.ts";
import { childEnvironment } from "../../support/child-environment.ts";

export interface ShellResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Of the variables that were asked for. */
  readonly values: Readonly<Record<string, string>>;
}

/** The shells that readers have, as far as they are here, with what has each run a text. zsh takes no comments where somebody types. */
const LINES = { bash: ["-c"], dash: ["-c"], zsh: ["-f", "-i", "-c"] } as const;
export type Shell = keyof typeof LINES;
export const SHELLS = (Object.keys(LINES) as Shell[]).filter((shell) => findCommand(shell) !== undefined);

interface ShellOptions {
  readonly shell?: Shell;
  /** Variables whose values are read when everything has run. */
  readonly shown?: readonly string[];
  /** Where the reader is; unless told, where the tests run. */
  readonly folder?: string;
}

/**
 * Runs what a reader would paste, in one shell, in order. The first command that fails ends it: a reader would see it
 * fail and stop there.
 */
export function runInShell(
  commands: string,
  env: Readonly<Record<string, string>>,
  { shell = "bash", shown = [], folder }: ShellOptions = {},
): Promise<ShellResult> {
  const script = ["set -e", commands, "echo '======'", ...shown.map((name) => `echo "$${name}"`)].join("\n");
  return new Promise((done) => {
    const options = { cwd: folder, env: { ...childEnvironment(), ...env } };
    const child = execFile(shell, [...LINES[shell], script], options, (_error, stdout, stderr) => {
      const [said = "", values = ""] = stdout.split("======\n");
      const lines = values.split("\n");
      done({
        code: child.exitCode ?? -1,
        stdout: said,
        stderr,
        values: Object.fromEntries(shown.map((name, index) => [name, lines[index] ?? ""])),
      });
    });
  });
}
