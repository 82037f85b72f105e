import { OperatorRefused, OperatorUnreachable } from "./client/errors.ts";
import { OperatorClient } from "./client/operator-client.ts";
import { findOperatorConnection, OperatorConnectionMissing } from "./client/operator-connection.ts";
import { type Invocation, UsageError } from "./command.ts";
import { COMMANDS } from "./commands/commands.ts";
import { Output } from "./output/output.ts";
import type { Sink } from "./output/sink.ts";
import { type ParsedCommandLine, parseCommandLine } from "./parse.ts";
import { usage } from "./usage.ts";

export interface CliContext {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Sink;
  readonly stderr: Sink;
}

const SUCCESS = 0;
const FAILURE = 1;
const USAGE = 2;

function invocationOf(parsed: ParsedCommandLine, client: OperatorClient, output: Output): Invocation {
  const given = (values: ReadonlyMap<string, string>, name: string): string => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`${parsed.command.name} does not declare ${name}`);
    return value;
  };
  return {
    client,
    output,
    argument: (name) => given(parsed.arguments, name),
    option: (name) => given(parsed.options, name),
    optional: (name) => parsed.options.get(name),
  };
}

async function execute(line: readonly string[], { env, stdout, stderr }: CliContext): Promise<void> {
  const parsed = parseCommandLine(COMMANDS, line);
  const client = new OperatorClient(() => findOperatorConnection(env));
  const output = new Output({ stdout, stderr, json: parsed.json });
  await parsed.command.run(invocationOf(parsed, client, output));
}

function isExpected(error: unknown): error is Error {
  return [OperatorRefused, OperatorUnreachable, OperatorConnectionMissing].some((kind) => error instanceof kind);
}

/** Runs one command line. Answers the exit code: 0 done, 1 refused or not reachable, 2 usage. */
export async function run(line: readonly string[], surroundings: CliContext): Promise<number> {
  const { stdout, stderr } = surroundings;
  if (line.includes("--help")) {
    stdout.write(`${usage(COMMANDS)}\n`);
    return SUCCESS;
  }
  try {
    await execute(line, surroundings);
    return SUCCESS;
  } catch (error) {
    if (error instanceof UsageError) {
      stderr.write(`${error.message}\n\n${usage(COMMANDS)}\n`);
      return USAGE;
    }
    if (!isExpected(error)) throw error;
    stderr.write(`${error.message}\n`);
    return FAILURE;
  }
}
