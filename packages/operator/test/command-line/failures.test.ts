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
    [["fly"], "error: unknown command 'fly'"],
    [["acount", "list"], "error: unknown command 'acount' (Did you mean account?)"],
    [["webhook", "resnd", "x"], "error: unknown command 'resnd' (Did you mean resend?)"],
    [
      ["refund", "list", "--since", "soon"],
      "error: option '--since <T>' argument 'soon' is invalid. Write a whole number above 0 with s, m, h or d, such as 20m.",
    ],
    [["account", "destroy", "x"], "error: unknown command 'destroy'"],
    [["account", "create"], "error: required option '--name <N>' not specified"],
    [["account", "create", "--name"], "error: option '--name <N>' argument missing"],
    [["account", "create", "--name", "--json"], "error: option '--name <N>' argument missing"],
    [
      ["account", "create", "--name", "a", "--name", "b"],
      "error: option '--name <N>' argument 'b' is invalid. It is given twice.",
    ],
    [
      ["loyalty", "adjust", "--account", "a", "--points", "5", "--reason", "--points"],
      "error: option '--reason <R>' argument '--points' is invalid. It is an option itself: a value is missing.",
    ],
    [["account", "create", "--name", "a", "--nmae", "a"], "error: unknown option '--nmae' (Did you mean --name?)"],
    [["account", "list", "--name", "a"], "error: unknown option '--name'"],
    [["account", "list", "extra"], "error: too many arguments for 'list'. Expected 0 arguments but got 1: extra."],
    [["account", "suspend"], "error: missing required argument 'ID'"],
    [["account", "suspend", "a", "b"], "error: too many arguments for 'suspend'. Expected 1 argument but got 2: a, b."],
    [["backup"], "error: missing required argument 'PATH'"],
    ...["", ".", ".."].map((name): [string[], string] => [
      ["stream", "show", name],
      `error: command-argument value '${name}' is invalid for argument 'STREAM'. It names nothing.`,
    ]),
    [
      ["credential", "create", "--account", "a", "--kind", "jwt"],
      "error: option '--kind <KIND>' argument 'jwt' is invalid. Allowed choices are api-key, oauth-client.",
    ],
    [
      ["credential", "create", "--account", "a", "--kind", "api-key", "--scopes", " "],
      "error: option '--scopes <LIST>' argument ' ' is invalid. It names nothing.",
    ],
    ...["0", "12.5", "1e3", "", "many", "9007199254740993"].map((points): [string[], string] => [
      ["loyalty", "adjust", "--account", "acc_1", `--points=${points}`, "--reason", "r"],
      `error: option '--points <N>' argument '${points}' is invalid. It takes a whole number other than 0.`,
    ]),
    ...["0", "-5", "12.5", "1e3", "", "9007199254740993"].map((amount): [string[], string] => [
      ["transfer", "receive", "--reference", "r", `--amount=${amount}`],
      `error: option '--amount <CENTS>' argument '${amount}' is invalid. It takes a whole number of cents above 0.`,
    ]),
    ...["0m", "-5m", "20", "m", "1.5h", "20M", "1h30m", "99999999999999999d"].map((duration): [string[], string] => [
      ["clock", "advance", duration],
      `error: command-argument value '${duration}' is invalid for argument 'DURATION'. Write a whole number above 0 with s, m, h or d, such as 20m.`,
    ]),
  ])("%j: one line on standard error, exit code 2", async (line, reason) => {
    const { exitCode, stdout, stderr } = await capturedRun(line, { env: {} });
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toBe(`${reason}\n`);
    expect(service.seen).toStrictEqual([]);
  });

  test.each([[[]], [["--json"]], [["account"]]])("%j names no command: usage alone", async (line) => {
    const { exitCode, stdout, stderr } = await capturedRun(line, { env: {} });
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(/^Usage: npx tbs /);
  });

  test.each([
    [["acount", "list"], "account"],
    [["account", "lst"], "list"],
    [["account", "create", "--name", "a", "--jsn"], "--json"],
  ])("%j is answered with what was probably meant", async (line, meant) => {
    expect((await capturedRun(line, { env: {} })).stderr).toMatch(
      new RegExp(`^error: unknown [^\\n]* \\(Did you mean ${meant}\\?\\)\\n$`),
    );
  });
});

describe("--help", () => {
  test.each([
    [["--help"], ["account create [options] ", "backup <PATH> ", "stream show [options] <STREAM> ", "OPERATOR_URL"]],
    [
      ["account", "--help"],
      ["account create [options] ", "account suspend <ID> "],
    ],
    [
      ["transfer", "receive", "--help"],
      ["--reference <R> ", "--amount <CENTS> ", "--currency <C> ", "--entry <ID> "],
    ],
  ])("%j", async (line, parts) => {
    const { exitCode, stdout, stderr } = await capturedRun(line, { env: {} });
    expect({ exitCode, stderr }).toStrictEqual({ exitCode: 0, stderr: "" });
    for (const part of parts) expect(stdout).toContain(part);
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
