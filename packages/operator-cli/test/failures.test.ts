import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { capturedRun } from "./captured-run.ts";
import { FakeOperatorService } from "./fake-operator-service.ts";

let service: FakeOperatorService;
let url: string;
let folder: string;

beforeEach(async () => {
  service = new FakeOperatorService();
  url = await service.start();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "operator-cli-"));
});
afterEach(async () => {
  await service.stop();
  fs.rmSync(folder, { recursive: true });
});

describe("a line that makes no sense", () => {
  test.each<[string[], string]>([
    [[], "no command given"],
    [["--json"], "no command given"],
    [["fly"], 'there is no command "fly"'],
    [["account"], 'there is no command "account"'],
    [["account", "destroy", "x"], 'there is no command "account destroy"'],
    [["account", "create"], "account create needs --name"],
    [["account", "create", "--name"], "Option '--name <value>' argument missing"],
    [["account", "create", "--name", "a", "--name", "b"], "--name is given twice"],
    [["account", "create", "--name", "a", "--json", "--json"], "--json is given twice"],
    [["account", "create", "--nmae", "a"], "Unknown option '--nmae'"],
    [["account", "list", "--name", "a"], "Unknown option '--name'"],
    [["account", "list", "extra"], 'account list takes no "extra"'],
    [["account", "suspend"], "account suspend needs ID"],
    [["account", "suspend", "a", "b"], 'account suspend takes no "b"'],
    [["backup"], "backup needs PATH"],
    [["credential", "create", "--account", "a", "--kind", "jwt"], '--kind takes api-key or oauth-client, not "jwt"'],
    [["credential", "create", "--account", "a", "--kind", "api-key", "--scopes", " "], "--scopes names nothing"],
    ...["0", "12.5", "1e3", "", "many", "9007199254740993"].map((points): [string[], string] => [
      ["loyalty", "adjust", "--account", "acc_1", `--points=${points}`, "--reason", "r"],
      `--points takes a whole number other than 0, not "${points}"`,
    ]),
    ...["0", "-5", "12.5", "1e3", "", "9007199254740993"].map((amount): [string[], string] => [
      ["transfer", "receive", "--reference", "r", `--amount=${amount}`],
      `--amount takes a whole number of cents above 0, not "${amount}"`,
    ]),
    ...["0m", "20", "m", "1.5h", "20M", "1h30m", "99999999999999999d"].map((duration): [string[], string] => [
      ["clock", "advance", duration],
      `"${duration}" is no duration: write a whole number with s, m, h or d, such as 20m`,
    ]),
  ])("%j: usage on standard error, exit code 2", async (line, reason) => {
    const { exitCode, stdout, stderr } = await capturedRun(line, { env: {} });
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 2, stdout: "" });
    expect(stderr.split("\n").slice(0, 3)).toStrictEqual([
      reason,
      "",
      "usage: npm run --silent operator -- <command> [--json]",
    ]);
    expect(service.seen).toStrictEqual([]);
  });

  test("--help is no mistake", async () => {
    const { exitCode, stdout, stderr } = await capturedRun(["--help"], { env: {} });
    expect({ exitCode, stderr }).toStrictEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("  transfer receive --reference R --amount CENTS [--currency C] [--entry ID]\n");
  });
});

describe("a refusal", () => {
  const cli = (line: readonly string[]) =>
    capturedRun(line, { env: { OPERATOR_URL: url, OPERATOR_TOKEN: "t", DATA_DIR: folder } });

  test.each<[string, { json?: unknown; text?: string }, string]>([
    ["one reason", { json: { statusCode: 409, message: "already settled", error: "Conflict" } }, "already settled\n"],
    [
      "a line for each of several",
      { json: { statusCode: 400, message: ["a is wrong", "b too"] } },
      "a is wrong\nb too\n",
    ],
    ["no ErrorResponse", { text: "<html>" }, "the operator interface answered with status 409\n"],
  ])("prints %s and exits with 1", async (_, answer, stderr) => {
    service.on("POST /operator/refunds/r/settle", { status: 409, ...answer });
    expect(await cli(["refund", "settle", "r", "--json"])).toStrictEqual({ exitCode: 1, stdout: "", stderr });
  });

  test("an answer of another shape is not taken for success", async () => {
    service.on("GET /operator/accounts", { json: { accounts: [] } });
    expect(await cli(["account", "list"])).toStrictEqual({
      exitCode: 1,
      stdout: "",
      stderr: 'an answer of an unexpected shape: {"accounts":[]}\n',
    });
  });

  test("something else that answers 200 is told apart", async () => {
    service.on("GET /operator/accounts", { text: "hello" });
    const { exitCode, stderr } = await cli(["account", "list"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("what answers there does not speak the operator interface");
  });

  test("a catalogue that can't be read is said in one line", async () => {
    const file = path.join(folder, "none.json");
    const { exitCode, stderr } = await cli(["catalogue", "import", file]);
    expect(exitCode).toBe(1);
    expect(stderr.split("\n")).toHaveLength(2);
    expect(stderr.startsWith(`${file} can't be read as JSON: `)).toBe(true);
  });
});

describe("finding the service", () => {
  const answer = { json: { data: [] } };

  test("in the data folder", async () => {
    fs.writeFileSync(path.join(folder, "operator.json"), JSON.stringify({ operatorUrl: url }));
    fs.writeFileSync(path.join(folder, "operator-token"), "from-file\n");
    service.on("GET /operator/accounts", answer);
    const { exitCode } = await capturedRun(["account", "list"], { env: { DATA_DIR: folder } });
    expect(exitCode).toBe(0);
    expect(service.seen.map(({ authorization }) => authorization)).toStrictEqual(["Bearer from-file"]);
  });

  test("the environment goes before the data folder", async () => {
    fs.writeFileSync(path.join(folder, "operator.json"), JSON.stringify({ operatorUrl: "http://127.0.0.1:1" }));
    fs.writeFileSync(path.join(folder, "operator-token"), "from-file");
    service.on("GET /operator/accounts", answer);
    const env = { DATA_DIR: folder, OPERATOR_URL: url, OPERATOR_TOKEN: "from-env" };
    expect((await capturedRun(["account", "list"], { env })).exitCode).toBe(0);
    expect(service.seen.map(({ authorization }) => authorization)).toStrictEqual(["Bearer from-env"]);
  });

  test("nobody there is one clear line", async () => {
    const nowhere = "http://127.0.0.1:1";
    const { exitCode, stdout, stderr } = await capturedRun(["account", "list"], {
      env: { OPERATOR_URL: nowhere, OPERATOR_TOKEN: "t" },
    });
    expect({ exitCode, stdout, stderr }).toStrictEqual({
      exitCode: 1,
      stdout: "",
      stderr: `the operator interface at ${nowhere} is not reachable (ECONNREFUSED): is the service running there?\n`,
    });
  });

  test("no token is one clear line", async () => {
    expect(await capturedRun(["account", "list"], { env: { DATA_DIR: folder, OPERATOR_URL: url } })).toStrictEqual({
      exitCode: 1,
      stdout: "",
      stderr: `no operator token: set OPERATOR_TOKEN, or DATA_DIR to the data folder of the service (no operator-token in ${folder})\n`,
    });
  });

  test("an address that is none is one clear line", async () => {
    expect(await capturedRun(["account", "list"], { env: { OPERATOR_URL: "localhost:3001" } })).toStrictEqual({
      exitCode: 1,
      stdout: "",
      stderr: 'OPERATOR_URL is "localhost:3001"; it takes an address such as http://127.0.0.1:3001\n',
    });
  });
});
