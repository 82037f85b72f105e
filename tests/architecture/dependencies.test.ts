import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { cruise } from "./cruise.ts";
import { engineImports } from "./engine-imports.ts";
import { sourceTree } from "./source-tree.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const FOLDERS = ["command-service", "query-service", "projector", "webhook-dispatcher", "domain", "packages", "tests"];

describe("this project", () => {
  test("keeps its dependency rules", async () => {
    const { modules, violations } = await cruise(ROOT, FOLDERS);
    expect(violations).toStrictEqual([]);
    expect(modules).toBeGreaterThan(100);
  });

  test("chooses engines only where it is composed", () => {
    expect(engineImports(ROOT)).toStrictEqual([]);
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
        "command-service/src/a.ts": using("../../packages/engines/src/lmdb/b.ts"),
        "command-service/src/main.ts": empty,
        "packages/engines/src/lmdb/b.ts": empty,
      },
      [
        "engines-are-chosen-by-the-composition: command-service/src/a.ts -> packages/engines/src/lmdb/b.ts",
        "workspaces-import-each-other-by-name: command-service/src/a.ts -> packages/engines/src/lmdb/b.ts",
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

  test("find an engine that is chosen elsewhere than in the composition", () => {
    const opening = `import { type EventStore, openLmdbEventStore } from "@travel-booking/engines/event-store";\n`;
    const tree = sourceTree({
      "projector/src/main.ts": opening,
      "packages/standalone/src/stores.ts": opening,
      "packages/engines/src/event-store/lmdb/open.ts": `import { LmdbThing } from "./thing.ts";\n`,
      "projector/src/worker.ts": opening,
      "command-service/src/pay.ts": `import {\n  type PaymentGateway,\n  SandboxGateway as Gateway,\n} from "@travel-booking/payment-gateway";\n`,
      "query-service/src/clock.ts": `import type { SandboxClock } from "@travel-booking/runtime";\n`,
    });
    try {
      expect(engineImports(tree)).toStrictEqual([
        "command-service/src/pay.ts: SandboxGateway",
        "projector/src/worker.ts: openLmdbEventStore",
      ]);
    } finally {
      fs.rmSync(tree, { recursive: true });
    }
  });
});
