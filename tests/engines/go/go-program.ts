import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { findCommand } from "../processes/find-command.ts";

const ENGINES = path.resolve(import.meta.dirname, "..");
const SOURCES = ["main.go", "go.mod", "go.sum"];

/** A Go program of ours: `tests/engines/<name>`. */
export interface GoProgram {
  readonly name: string;
  /** Its sources. */
  readonly folder: string;
  /** Where it is once built; another place when its sources or what it depends on have changed. */
  readonly file: string;
}

export function goProgram(name: "ferretdb" | "stripe-mock" | "toxiproxy"): GoProgram {
  const folder = path.join(ENGINES, name);
  const sources = createHash("sha256");
  for (const source of SOURCES) sources.update(fs.readFileSync(path.join(folder, source)));
  return { name, folder, file: path.join(ENGINES, ".build", `${name}-${sources.digest("hex").slice(0, 16)}`) };
}

export function findGo(): string | undefined {
  return findCommand("go") ?? ["/usr/local/go/bin/go"].find((file) => fs.existsSync(file));
}

/** Why it can neither be run nor be built. */
export function goProgramMissingReason(program: GoProgram): string | undefined {
  if (fs.existsSync(program.file) || findGo() !== undefined) return undefined;
  return `Go is not installed, which builds ${program.name}`;
}
