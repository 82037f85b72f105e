import fs from "node:fs";
import path from "node:path";

const SOURCES = "{command-service,query-service,projector,webhook-dispatcher,domain,packages/*}/src/**/*.ts";
const COMPOSITION = /^(?:[^/]+\/src\/main\.ts$|packages\/standalone\/)/;
const ENGINE_HOLDERS = /^packages\/engines\//;
const NAMED_IMPORT = /import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+"@travel-booking\/[^"]+"/g;

/** What the packages call their engines, and what opens one. */
const ENGINE =
  /^(?:(?:open|create)?(?:Lmdb|InMemory|Memory|Mongo|Redis|Bull|Kurrent|EventStoreDb)[A-Z]\w*|Sandbox(?:Gateway|Ledger))$/;

/** Imports of an engine of another workspace outside the composition and what holds engines, as `file: name`, sorted. */
export function engineImports(tree: string): string[] {
  const found: string[] = [];
  for (const file of fs.globSync(SOURCES, { cwd: tree })) {
    const name = file.split(path.sep).join("/");
    if (COMPOSITION.test(name) || ENGINE_HOLDERS.test(name)) continue;
    for (const [, names = ""] of fs.readFileSync(path.join(tree, file), "utf8").matchAll(NAMED_IMPORT)) {
      for (const imported of names.split(",")) {
        const [word = ""] = imported
          .trim()
          .replace(/^type\s+/, "")
          .split(/\s/);
        if (ENGINE.test(word)) found.push(`${name}: ${word}`);
      }
    }
  }
  return found.sort();
}
