import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { cruise } from "./cruise.ts";
import { sourceTree } from "./source-tree.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const FOLDERS = ["command-service", "query-service", "projector", "webhook-dispatcher", "domain", "packages", "tests"];

describe("this project", () => {
  test("keeps its dependency rules", async () => {
    const { modules, violations } = await cruise(ROOT, FOLDERS);
    expect(violations).toStrictEqual([]);
    expect(modules).toBeGreaterThan(100);
  });
});

describe("the rules", () => {
  const empty = "export const value = 1;\n";
  const using = (target: string) => `import { value } from "${target}";\nexport const used = value;\n`;

  test.each([
    [
      "domain-imports-nothing",
      { "domain/src/clock.ts": 'import { hrtime } from "node:process";\nexport const now = hrtime;\n' },
      ["domain-imports-nothing: domain/src/clock.ts -> process"],
    ],
    [
      "packages-never-import-services",
      {
        "packages/http/src/a.ts": using("../../../projector/src/b.ts"),
        "packages/standalone/src/a.ts": empty,
        "projector/src/b.ts": empty,
      },
      [
        "packages-never-import-services: packages/http/src/a.ts -> projector/src/b.ts",
        "workspaces-import-each-other-by-name: packages/http/src/a.ts -> projector/src/b.ts",
      ],
    ],
    [
      "nothing-imports-standalone",
      { "packages/http/src/a.ts": using("../../standalone/src/b.ts"), "packages/standalone/src/b.ts": empty },
      [
        "nothing-imports-standalone: packages/http/src/a.ts -> packages/standalone/src/b.ts",
        "workspaces-import-each-other-by-name: packages/http/src/a.ts -> packages/standalone/src/b.ts",
      ],
    ],
    [
      "services-never-import-each-other",
      {
        "command-service/src/a.ts": `import type { B } from "../../query-service/src/b.ts";\nexport type A = B;\n`,
        "query-service/src/b.ts": "export type B = 1;\n",
      },
      [
        "services-never-import-each-other: command-service/src/a.ts -> query-service/src/b.ts",
        "workspaces-import-each-other-by-name: command-service/src/a.ts -> query-service/src/b.ts",
      ],
    ],
    [
      "engines-are-chosen-by-the-composition",
      {
        "packages/detour/src/a.ts": using("../../engines/src/event-store/index.ts"),
        "packages/detour/src/b.ts": using("../../engines/src/event-store/lmdb/open.ts"),
        "packages/detour/src/c.ts": using("../../engines/src/rate-counter/memory.ts"),
        "packages/detour/src/d.ts": using("../../payment-gateway/src/sandbox/index.ts"),
        "packages/detour/test/e.ts": using("../../engines/src/lmdb/open.ts"),
        "packages/engines/src/event-store/index.ts": empty,
        "packages/engines/src/event-store/lmdb/open.ts": using("../../lmdb/open.ts"),
        "packages/engines/src/lmdb/open.ts": empty,
        "packages/engines/src/rate-counter/memory.ts": empty,
        "packages/payment-gateway/src/sandbox/index.ts": empty,
        "packages/standalone/src/f.ts": using("../../engines/src/event-store/lmdb/open.ts"),
      },
      [
        "engines-are-chosen-by-the-composition: packages/detour/src/b.ts -> packages/engines/src/event-store/lmdb/open.ts",
        "engines-are-chosen-by-the-composition: packages/detour/src/c.ts -> packages/engines/src/rate-counter/memory.ts",
        "engines-are-chosen-by-the-composition: packages/detour/src/d.ts -> packages/payment-gateway/src/sandbox/index.ts",
        "workspaces-import-each-other-by-name: packages/detour/src/a.ts -> packages/engines/src/event-store/index.ts",
        "workspaces-import-each-other-by-name: packages/detour/src/b.ts -> packages/engines/src/event-store/lmdb/open.ts",
        "workspaces-import-each-other-by-name: packages/detour/src/c.ts -> packages/engines/src/rate-counter/memory.ts",
        "workspaces-import-each-other-by-name: packages/detour/src/d.ts -> packages/payment-gateway/src/sandbox/index.ts",
        "workspaces-import-each-other-by-name: packages/detour/test/e.ts -> packages/engines/src/lmdb/open.ts",
        "workspaces-import-each-other-by-name: packages/standalone/src/f.ts -> packages/engines/src/event-store/lmdb/open.ts",
      ],
    ],
    [
      "query-service-never-imports-the-event-store, by a detour",
      {
        "query-service/src/a.ts": using("../../packages/detour/src/b.ts"),
        "packages/detour/src/b.ts": `export * from "../../engines/src/event-store/c.ts";\n`,
        "packages/engines/src/event-store/c.ts": empty,
      },
      [
        "query-service-never-imports-the-event-store: query-service/src/a.ts -> packages/engines/src/event-store/c.ts",
        "workspaces-import-each-other-by-name: packages/detour/src/b.ts -> packages/engines/src/event-store/c.ts",
        "workspaces-import-each-other-by-name: query-service/src/a.ts -> packages/detour/src/b.ts",
      ],
    ],
    [
      "names-are-compared-by-the-reader-alone",
      {
        "domain/src/booking/a.ts": using("../travel-document/compare-names.ts"),
        "domain/src/travel-document/compare-names.ts": using("./match-name.ts"),
        "domain/src/travel-document/match-name.ts": empty,
      },
      [
        "names-are-compared-by-the-reader-alone: domain/src/booking/a.ts -> domain/src/travel-document/compare-names.ts",
      ],
    ],
    [
      "no-cycles, types included",
      {
        "packages/http/src/a.ts": `import type { B } from "./b.ts";\nexport type A = B | 1;\n`,
        "packages/http/src/b.ts": `import type { A } from "./a.ts";\nexport type B = A | 2;\n`,
      },
      ["no-cycles: packages/http/src/a.ts -> packages/http/src/b.ts"],
    ],
    [
      "everything-resolves",
      { "packages/http/src/a.ts": using("./nowhere.ts") },
      ["everything-resolves: packages/http/src/a.ts -> ./nowhere.ts"],
    ],
  ])("find a violation of %s", async (_rule, files, expected) => {
    const tree = sourceTree(files);
    try {
      const folders = [...new Set(Object.keys(files).map((file) => file.split("/")[0] ?? ""))];
      expect((await cruise(tree, folders)).violations).toStrictEqual(expected);
    } finally {
      fs.rmSync(tree, { recursive: true });
    }
  });
});
