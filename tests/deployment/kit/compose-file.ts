import fs from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { type ComposeFile, type Container, composeFile } from "./compose-schema.ts";
import { interpolate } from "./interpolate.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");

/**
 * docker-compose.yml as Compose reads it in this environment, with the services that it would start.
 * @param override a further file of the project, as in COMPOSE_FILE
 * @throws ZodError naming what is not as it should be.
 */
export function readComposeFile(environment: Readonly<Record<string, string>> = {}, override?: string): ComposeFile {
  const files = override === undefined ? ["docker-compose.yml"] : ["docker-compose.yml", override];
  const { services, ...rest } = composeFile.parse(interpolated(files.map(parsed).reduce(merged), environment));
  const active = environment.COMPOSE_PROFILES?.split(",") ?? [];
  const isRun = ({ profiles }: Container) => profiles.length === 0 || profiles.some((one) => active.includes(one));
  return { ...rest, services: Object.fromEntries(Object.entries(services).filter(([, one]) => isRun(one))) };
}

function parsed(file: string): unknown {
  const content: Record<string, unknown> = parse(fs.readFileSync(path.join(ROOT, file), "utf8"), { merge: true });
  return Object.fromEntries(Object.entries(content).filter(([name]) => !name.startsWith("x-")));
}

/** Maps are merged, all else is replaced. @throws Error for lists, which Compose does not treat all alike. */
function merged(below: unknown, above: unknown): unknown {
  if (Array.isArray(below) || Array.isArray(above)) throw new Error("a list in a further file is not known here");
  if (!isMap(below) || !isMap(above)) return above;
  const added = Object.entries(above).map(([name, one]) => [name, name in below ? merged(below[name], one) : one]);
  return { ...below, ...Object.fromEntries(added) };
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function interpolated(value: unknown, environment: Readonly<Record<string, string>>): unknown {
  if (typeof value === "string") return interpolate(value, environment);
  if (Array.isArray(value)) return value.map((one) => interpolated(one, environment));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, interpolated(one, environment)]));
}
