import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";

const SCRIPTS = path.resolve(import.meta.dirname, "../../docker/service");
const FILES = ["operator-token", "secret-key"];

describe("the secrets of an installation", () => {
  let folder: string;
  let keyAlone: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "secrets-"));
    keyAlone = fs.mkdtempSync(path.join(os.tmpdir(), "secret-key-"));
  });

  afterEach(() => {
    for (const one of [folder, keyAlone]) fs.rmSync(one, { recursive: true });
  });

  async function run(script: string, args: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) {
    const { PATH = "" } = process.env;
    const env = { PATH, DATA_DIR: folder, ...environment };
    return (await promisify(execFile)(path.join(SCRIPTS, script), args, { env })).stdout;
  }

  const makeSecrets = (environment?: Readonly<Record<string, string>>) =>
    run("make-secrets.sh", [keyAlone], environment);

  const read = (name: string) => fs.readFileSync(path.join(folder, name), "utf8");

  test("are made, one unlike the other, for their user alone", async () => {
    await makeSecrets();
    expect(fs.readdirSync(folder).sort()).toStrictEqual(FILES);
    for (const name of FILES) {
      expect(read(name)).toMatch(/^[A-Za-z0-9_-]{43}\n$/);
      expect(fs.statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
    }
    expect(read("secret-key")).not.toBe(read("operator-token"));
  });

  test("are never made again", async () => {
    fs.writeFileSync(path.join(folder, "secret-key"), "kept\n");
    await makeSecrets();
    const token = read("operator-token");
    await makeSecrets();
    expect([read("secret-key"), read("operator-token")]).toStrictEqual(["kept\n", token]);
  });

  test("are made where an earlier attempt has ended midway", async () => {
    fs.writeFileSync(path.join(folder, "secret-key.new"), "ha");
    await makeSecrets();
    expect(fs.readdirSync(folder).sort()).toStrictEqual(FILES);
    expect(read("secret-key")).toMatch(/^[A-Za-z0-9_-]{43}\n$/);
  });

  test("are there for who needs the key alone, in a folder without the token, also where they were made before", async () => {
    fs.writeFileSync(path.join(folder, "secret-key"), "kept\n");
    fs.writeFileSync(path.join(keyAlone, "secret-key"), "another\n");
    await makeSecrets();
    expect(fs.readdirSync(keyAlone)).toStrictEqual(["secret-key"]);
    const copy = path.join(keyAlone, "secret-key");
    expect([fs.readFileSync(copy, "utf8"), fs.statSync(copy).mode & 0o777]).toStrictEqual(["kept\n", 0o600]);
  });

  test("that are brought along are not made", async () => {
    await makeSecrets({ SECRET_KEY: "mine", OPERATOR_TOKEN: "" });
    expect(fs.readdirSync(folder)).toStrictEqual(["operator-token"]);
  });

  const told = ["sh", "-c", 'echo "$SECRET_KEY,$OPERATOR_TOKEN"'];

  test("reach a service in its environment", async () => {
    await makeSecrets();
    const [key, token] = [read("secret-key").trim(), read("operator-token").trim()];
    expect(await run("entrypoint.sh", told)).toBe(`${key},${token}\n`);
    expect(await run("entrypoint.sh", told, { SECRET_KEY: "", OPERATOR_TOKEN: "" })).toBe(`${key},${token}\n`);
  });

  test("give way to those that the environment brings", async () => {
    await makeSecrets();
    expect(await run("entrypoint.sh", told, { SECRET_KEY: "mine" })).toBe(`mine,${read("operator-token")}`);
  });

  test("are left for the service to miss where there are none", async () => {
    expect(await run("entrypoint.sh", told)).toBe(",\n");
  });

  test("come with the option that keeps its debugger shut, beside those of the installation", async () => {
    const options = ["sh", "-c", "echo $NODE_OPTIONS"];
    expect(await run("entrypoint.sh", options)).toBe("--disable-sigusr1\n");
    expect(await run("entrypoint.sh", options, { NODE_OPTIONS: "--no-deprecation" })).toBe(
      "--no-deprecation --disable-sigusr1\n",
    );
  });

  test("do not stand between a service and its signals", async () => {
    expect(await run("entrypoint.sh", ["sh", "-c", "echo $PPID"])).toBe(`${process.pid}\n`);
  });
});
