import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { projects } from "../run/projects.ts";
import { childJest } from "./kit/child-jest.ts";

const TELLS_ITS_PROFILE = `test(\`on \${process.env.TEST_PROFILE ?? "embedded"}\`, () => {});\n`;
const COMMON = { testEnvironment: "node", testPathIgnorePatterns: ["/node_modules/"], transform: {} };

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "projects-"));
  for (const file of ["tests/end-to-end/journey.test.ts", "domain/test/rules.test.ts"]) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), TELLS_ITS_PROFILE);
  }
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

async function ran(distributed: boolean): Promise<readonly string[]> {
  const config = { projects: projects({ ...COMMON, rootDir: folder }, { distributed }) };
  return (await childJest(folder, config, { TEST_PROFILE: undefined }))
    .flatMap(({ name, assertionResults }) => assertionResults.map(({ title }) => `${path.basename(name)} ${title}`))
    .sort();
}

test("the end-to-end suite runs once for each profile, everything else once", async () => {
  expect(await ran(true)).toStrictEqual([
    "journey.test.ts on distributed",
    "journey.test.ts on embedded",
    "rules.test.ts on embedded",
  ]);
});

test("without the distributed profile everything runs once", async () => {
  expect(await ran(false)).toStrictEqual(["journey.test.ts on embedded", "rules.test.ts on embedded"]);
});

test("the profiles are told apart by their names", () => {
  const names = projects(COMMON, { distributed: true }).map((project) =>
    "displayName" in project ? project.displayName : "",
  );
  expect(names).toStrictEqual(["", "embedded", "distributed"]);
});
