import fs from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../../..");

type Needed = "eventStoreUrl" | "mongodbUrl" | "redisUrl" | "secretKey" | "operatorToken" | "commandServiceUrl";

/** The settings that a service's main asks for. */
export function neededBy(service: string): readonly Needed[] {
  const main = fs.readFileSync(path.join(ROOT, service, "src/main.ts"), "utf8");
  const [, names = ""] = /requireSettings\(\s*host\.settings,([^)]*)\)/.exec(main) ?? [];
  return [...names.matchAll(/"(\w+)"/g)].map(([, name]) => name as Needed);
}
