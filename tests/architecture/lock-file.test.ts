import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "@jest/globals";

interface LockedPackage {
  readonly link?: true;
  readonly integrity?: string;
}

// npm writes none for the packages of other platforms where it finds the others installed, and then installs them unchecked.
test("package-lock.json has the hash of every package that npm downloads", () => {
  const file = resolve(import.meta.dirname, "../../package-lock.json");
  const { packages } = JSON.parse(readFileSync(file, "utf8")) as { packages: Readonly<Record<string, LockedPackage>> };
  const downloaded = Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && !link);
  const unchecked = downloaded.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));
  expect(unchecked.map(([path]) => path)).toStrictEqual([]);
  expect(downloaded.length).toBeGreaterThan(100);
});
