import { AddressUnknown, findAddress } from "./client/address.ts";
import { OperatorRefused, OperatorUnreachable } from "./client/errors.ts";
import { OperatorClient } from "./client/operator-client.ts";
import { type Invocation, UsageError } from "./command.ts";
import { COMMANDS } from "./commands/commands.ts";
import { Output } from "./output/output.ts";
import type { Sink } from "./output/sink.ts";
import { type ParsedLine, parseLine } from "./parse.ts";
import { usage } from "./usage.ts";

export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Sink;
  readonly stderr: Sink;
}

const OK = 0;
const REFUSED = 1;
const USAGE = 2;

function invocationOf(parsed: ParsedLine, client: OperatorClient, output: Output): Invocation {
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

async function execute(line: readonly string[], { env, stdout, stderr }: Surroundings): Promise<void> {
  const parsed = parseLine(COMMANDS, line);
  const client = new OperatorClient(() => findAddress(env));
  const output = new Output({ stdout, stderr, json: parsed.json });
  await parsed.command.run(invocationOf(parsed, client, output));
}

function isExpected(error: unknown): error is Error {
  return [OperatorRefused, OperatorUnreachable, AddressUnknown].some((kind) => error instanceof kind);
}

/** Runs one command line. Answers the exit code: 0 done, 1 refused or not reachable, 2 usage. */
export async function run(line: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stdout, stderr } = surroundings;
  if (line.includes("--help")) {
    stdout.write(`${usage(COMMANDS)}\n`);
    return OK;
  }
  try {
    await execute(line, surroundings);
    return OK;
  } catch (error) {
    if (error instanceof UsageError) {
      stderr.write(`${error.message}\n\n${usage(COMMANDS)}\n`);
      return USAGE;
    }
    if (!isExpected(error)) throw error;
    stderr.write(`${error.message}\n`);
    return REFUSED;
  }
}
