import { execFile } from "node:child_process";
import { childEnvironment } from "../../support/child-environment.ts";

interface ShellResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs what a reader would paste, in one shell, in order. The first command that fails ends it: a reader would see it
 * fail and stop there. Afterwards the values of `outputText` are printed, a line each, behind a line of their own.
 * @param folder where the reader is; unless told, where the tests run.
 */
export function runInShell(
  commands: string,
  env: Readonly<Record<string, string>>,
  shown: readonly string[],
  folder?: string,
): Promise<ShellResult & { readonly values: Readonly<Record<string, string>> }> {
  const script = ["set -eo pipefail", commands, "echo", "echo ======", ...shown.map((name) => `echo "$${name}"`)].join(
    "\n",
  );
  return new Promise((done) => {
    const child = execFile(
      "bash",
      ["-c", script],
      { cwd: folder, env: { ...childEnvironment(), ...env } },
      (_error, stdout, stderr) => {
        const [said = "", values = ""] = stdout.split("======\n");
        const lines = values.split("\n");
        done({
          code: child.exitCode ?? -1,
          stdout: said,
          stderr,
          values: Object.fromEntries(shown.map((name, index) => [name, lines[index] ?? ""])),
        });
      },
    );
  });
}
