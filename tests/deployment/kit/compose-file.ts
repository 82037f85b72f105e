import fs from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { type ComposeFile, composeFile } from "./compose-schema.ts";
import { interpolate } from "./interpolate.ts";

const FILE = path.resolve(import.meta.dirname, "../../../docker-compose.yml");

/** docker-compose.yml as Compose reads it in this environment. @throws ZodError naming what is not as it should be. */
export function readComposeFile(environment: Readonly<Record<string, string>> = {}): ComposeFile {
  const file: Record<string, unknown> = parse(fs.readFileSync(FILE, "utf8"), { merge: true });
  const own = Object.entries(file).filter(([name]) => !name.startsWith("x-"));
  return composeFile.parse(interpolated(Object.fromEntries(own), environment));
}

function interpolated(value: unknown, environment: Readonly<Record<string, string>>): unknown {
  if (typeof value === "string") return interpolate(value, environment);
  if (Array.isArray(value)) return value.map((one) => interpolated(one, environment));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, interpolated(one, environment)]));
}
