import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { openApiDocument } from "@travel-booking/api-contract/openapi";

const ROOT = path.resolve(import.meta.dirname, "../..");
const SPECTRAL = path.join(ROOT, "node_modules/@stoplight/spectral-cli/dist/index.js");
const DOCUMENT = openApiDocument({ rateLimited: true });

/** What Spectral finds, hints included, one line each. It leaves with 1 where it finds anything. */
async function findings(document: object): Promise<readonly string[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "spectral-"));
  const file = path.join(folder, "openapi.json");
  const report = path.join(folder, "report.json");
  fs.writeFileSync(file, JSON.stringify(document));
  const args = ["lint", file, "--ruleset", ".spectral.yaml", "--fail-severity", "hint", "--format", "json"];
  try {
    const failure = await new Promise<string>((resolve) => {
      execFile(process.execPath, [SPECTRAL, ...args, "--output", report], { cwd: ROOT }, (error, _, stderr) =>
        resolve(error === null ? "" : `${error.message}\n${stderr}`),
      );
    });
    if (!fs.existsSync(report)) throw new Error(failure);
    const found = JSON.parse(fs.readFileSync(report, "utf8")) as { code: string; path: string[]; message: string }[];
    return found.map(({ code, path: at, message }) => `${code}: ${at.join("/")}: ${message}`);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

test("Spectral has nothing to say, not even a hint", async () => {
  for (const document of [DOCUMENT, openApiDocument({ rateLimited: false })]) {
    expect(await findings(document)).toStrictEqual([]);
  }
});

test("Spectral would say so", async () => {
  const { operationId: _, ...operation } = DOCUMENT.paths["/v1/flights"]?.get ?? {};
  const spoilt = { ...DOCUMENT, paths: { "/v1/flights": { get: operation } } };
  const codes = (await findings(spoilt)).map((line) => line.split(": ")[0]);
  expect(codes).toContain("operation-operationId");
  expect(codes).toContain("oas3-unused-component");
});

test("every rule that is switched off has its reason beside it", () => {
  const lines = fs.readFileSync(path.join(ROOT, ".spectral.yaml"), "utf8").split("\n");
  const off = lines.flatMap((line, index) => (line.endsWith('"off"') ? [index] : []));
  expect(off.length).toBeGreaterThan(0);
  for (const index of off) {
    // Upwards over the lines of the same entry, to the sentence that begins it.
    let above = index - 1;
    while (/^\s+(?:rules:|- files:|owasp:)/.test(lines[above] ?? "")) above -= 1;
    expect(lines[above]).toMatch(/^\s+# \S.*\.$/);
  }
});
