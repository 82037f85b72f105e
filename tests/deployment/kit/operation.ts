import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { childEnvironment } from "../../support/child-environment.ts";
import { ROOT } from "./image-files.ts";

/** What a script came to. */
export interface OperationResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Its calls of `docker`, without that word. */
  readonly calls: readonly string[];
}

/** The scripts of docker/operations with a `docker` that is none, and a folder for what is in containers. */
export class FakeInstallation {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), "operations-"));

  constructor() {
    fs.mkdirSync(this.path("bin"));
    fs.copyFileSync(path.join(import.meta.dirname, "fake-docker.sh"), this.path("bin/docker"));
    fs.writeFileSync(this.path("bin/sleep"), "#!/bin/sh\n");
    for (const name of fs.readdirSync(this.path("bin"))) fs.chmodSync(this.path("bin", name), 0o755);
    for (const node of ["eventstore", "eventstore-2", "eventstore-3"]) fs.mkdirSync(this.path(node));
  }

  path(...parts: readonly string[]): string {
    return path.join(this.folder, ...parts);
  }

  /** @param environment SERVICES: those there are; FAIL_AT: the number of the call that fails; STATE: of a projection. */
  async run(
    script: string,
    args: readonly string[] = [],
    { input = "", ...environment }: Readonly<Record<string, string>> = {},
  ): Promise<OperationResult> {
    fs.rmSync(this.path("calls"), { force: true });
    const { PATH = "", ...inherited } = childEnvironment();
    const own = { PATH: `${this.path("bin")}:${PATH}`, FAKE: this.folder, SERVICES: "redis eventstore proxy" };
    const child = spawn(path.join(ROOT, "docker/operations", script), args, {
      cwd: this.folder,
      env: { ...inherited, ...own, ...environment },
    });
    child.stdin.on("error", () => undefined).end(input);
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { code, stdout, stderr, calls: this.#calls() };
  }

  #calls(): string[] {
    if (!fs.existsSync(this.path("calls"))) return [];
    return fs.readFileSync(this.path("calls"), "utf8").trimEnd().split("\n");
  }

  /** The files in a folder of it, with what they hold. */
  files(folder: string): Readonly<Record<string, string>> {
    const entries = fs.readdirSync(this.path(folder), { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    const named = paths.map((file) => [path.relative(this.path(folder), file), fs.readFileSync(file, "utf8")] as const);
    return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Replaces all there is in a folder of it. */
  fill(folder: string, files: Readonly<Record<string, string>>): void {
    fs.rmSync(this.path(folder), { recursive: true, force: true });
    fs.mkdirSync(this.path(folder));
    for (const [name, content] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(this.path(folder, name)), { recursive: true });
      fs.writeFileSync(this.path(folder, name), content);
    }
  }

  remove(): void {
    fs.rmSync(this.folder, { recursive: true });
  }
}
