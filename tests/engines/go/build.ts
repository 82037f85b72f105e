import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { fieldOf } from "../processes/field-of.ts";
import { firstLine } from "../providers/first-line.ts";
import { findGo, type GoProgram } from "./go-program.ts";
import { withLock } from "./with-lock.ts";

/** Downloads included, on a slow machine. */
const BUILT_WITHIN_MS = 10 * 60_000;

const lockOf = (file: string) => `${file}.lock`;

/** Where the program is, which is built first if need be. @throws Error why it could not be, in one line. */
export async function build(program: GoProgram): Promise<string> {
  if (fs.existsSync(program.file)) return program.file;
  fs.mkdirSync(path.dirname(program.file), { recursive: true });
  await withLock(lockOf(program.file), async () => {
    if (!fs.existsSync(program.file)) await compile(program);
  });
  return program.file;
}

async function compile({ name, folder, file }: GoProgram): Promise<void> {
  const go = findGo();
  if (go === undefined) throw new Error(`Go is not installed, which builds ${name}`);
  const unfinished = `${file}.${process.pid}`;
  const args = ["build", "-mod=readonly", "-buildvcs=false", "-o", unfinished, "."];
  try {
    await promisify(execFile)(go, args, {
      cwd: folder,
      env: process.env,
      timeout: BUILT_WITHIN_MS,
      killSignal: "SIGKILL",
    });
  } catch (failure) {
    fs.rmSync(unfinished, { force: true });
    throw new Error(`${name} could not be built: ${reasonOf(failure)}`, { cause: failure });
  }
  fs.renameSync(unfinished, file);
  removeOthers(name, file);
}

/** Of all that Go wrote, the first line that is neither progress nor a headline. */
function reasonOf(failure: unknown): string {
  if (fieldOf(failure, "killed") === true) return `not done after ${BUILT_WITHIN_MS / 60_000} minutes`;
  const lines = String(fieldOf(failure, "stderr") ?? "").split("\n");
  return lines.find((line) => line !== "" && !/^(?:#|go: downloading )/.test(line)) ?? firstLine(failure);
}

/** Builds of other sources, and what an interrupted build has left. */
function removeOthers(name: string, file: string): void {
  const folder = path.dirname(file);
  const kept = [path.basename(file), path.basename(lockOf(file))];
  for (const entry of fs.readdirSync(folder)) {
    if (entry.startsWith(`${name}-`) && !kept.includes(entry)) fs.rmSync(path.join(folder, entry), { force: true });
  }
}
