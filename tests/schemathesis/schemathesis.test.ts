import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ERASED_WORDS } from "@travel-booking/domain";
import { randomNumbers } from "../bench/data/random-numbers.ts";
import { installForPython, pythonMissingReason } from "../engines/processes/python.ts";
import { titleOfSkipped } from "../engines/title-of-skipped.ts";
import { ENV_OF_LIVES, live } from "../support/lives.ts";
import { Service } from "../support/service.ts";

const PREPARED_WITHIN_MS = 7 * 60_000;
const ENDED_WITHIN_MS = 10 * 60_000;

/**
 * What no schema can say, so that a request that agrees with it is refused all the same: the value must be one the
 * service has given, or goes with another, or depends on the moment.
 */
const REFUSED_FOR_A_REASON = [
  /^url (?!must be a string)/,
  /^metadata must have at most 20 keys/,
  /^cursor is not one this list has given for these filters$/,
  /^after is not the id of one of your events$/,
  /^asOf must not be in the future$/,
  /^dateOfBirth must not be in the future$/,
  /^order must be asc where after is given$/,
  /^file must be a PDF, PNG or JPEG$/,
  /^file must not be empty$/,
  /^token is not known to the payment gateway/,
];

/** A line of the report, as far as it is needed here. */
interface Line {
  readonly NonFatalError?: { readonly label: string; readonly value: { readonly message: string } };
  readonly ScenarioFinished?: {
    readonly recorder: {
      readonly label: string;
      readonly checks?: Readonly<Record<string, readonly Check[]>>;
      readonly interactions?: Readonly<Record<string, { readonly response?: { readonly content?: Content } }>>;
    };
  };
}

interface Check {
  readonly status: "success" | "failure";
  readonly failure_info?: { readonly failure: { readonly title: string; readonly message: string } };
}

type Content = { readonly $base64: string } | null;

interface Findings {
  readonly cases: number;
  readonly answers: readonly string[];
  /** Each case that failed: what was asked, what is wrong about the answer, and the answer. */
  readonly failures: readonly string[];
}

function findingsIn(report: string): Findings {
  const answers: string[] = [];
  const failures: string[] = [];
  let cases = 0;
  for (const text of report.split("\n").filter((line) => line !== "")) {
    const { NonFatalError, ScenarioFinished } = JSON.parse(text) as Line;
    if (NonFatalError !== undefined) failures.push(`${NonFatalError.label}: ${NonFatalError.value.message}`);
    if (ScenarioFinished === undefined) continue;
    const { label, checks = {}, interactions = {} } = ScenarioFinished.recorder;
    for (const [id, made] of Object.entries(checks)) {
      cases += 1;
      const answer = textOf(interactions[id]?.response?.content ?? null);
      answers.push(answer);
      for (const { failure_info: info } of made) {
        if (info === undefined) continue;
        const { title, message } = info.failure;
        const isKnown = title === "Schema-valid request rejected" && isRefusedForAReason(answer);
        if (!isKnown) failures.push(`${label}: ${title}: ${message} ${answer}`);
      }
    }
  }
  return { cases, answers, failures };
}

function textOf(content: Content): string {
  return content === null ? "" : Buffer.from(content.$base64, "base64").toString("utf8");
}

function isRefusedForAReason(answer: string): boolean {
  const { message } = JSON.parse(answer) as { readonly message?: unknown };
  return (
    Array.isArray(message) && message.every((problem) => REFUSED_FOR_A_REASON.some((known) => known.test(problem)))
  );
}

const reason = pythonMissingReason("Schemathesis");
const describeSchemathesis = reason === undefined ? describe : describe.skip;

describeSchemathesis(reason === undefined ? "Schemathesis" : titleOfSkipped("Schemathesis", reason), () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "schemathesis-"));
  let program: string;
  let service: Service;
  /** Of an account of which some were forgotten. */
  let apiKey: string | undefined;

  beforeAll(async () => {
    const programs = await installForPython("schemathesis", path.join(import.meta.dirname, "requirements.txt"));
    program = path.join(programs, "schemathesis");
    service = await Service.start({ env: ENV_OF_LIVES });
    const { accounts } = await live({
      target: () => service,
      random: randomNumbers(1),
      steps: 120,
      flights: "KNOWN",
      erase: async (of) => expect(await service.operator("POST", of)).toMatchObject({ status: 200 }),
    });
    apiKey = accounts[0]?.apiKey;
  }, PREPARED_WITHIN_MS);

  afterAll(async () => {
    await service.stop();
    fs.rmSync(folder, { recursive: true });
  });

  test(
    "finds nothing wrong with the answers to what the interface description allows, and to what it does not",
    async () => {
      const report = path.join(folder, "report.ndjson");
      const args = ["--config-file", path.join(import.meta.dirname, "schemathesis.toml"), "run"];
      args.push(`${service.baseUrl}/v1/openapi.json`, "--report", "ndjson", "--report-ndjson-path", report);
      const output = await new Promise<string>((resolve) => {
        const env = { ...process.env, API_KEY: apiKey, SCHEMATHESIS_HOOKS: "hooks", PYTHONPATH: import.meta.dirname };
        // It leaves with 1 where it finds anything.
        execFile(program, args, { cwd: folder, env, maxBuffer: 2 ** 28 }, (_, stdout, stderr) =>
          resolve(stdout + stderr),
        );
      });
      if (!fs.existsSync(report)) throw new Error(output);
      const { cases, failures, answers } = findingsIn(fs.readFileSync(report, "utf8"));
      expect(failures).toStrictEqual([]);
      expect(cases).toBeGreaterThan(1_000);
      expect(answers.filter((answer) => answer.includes(ERASED_WORDS.text)).length).toBeGreaterThan(10);
    },
    ENDED_WITHIN_MS,
  );
});
