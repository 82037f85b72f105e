import type { OperatorClient } from "./client/operator-client.ts";
import type { Output } from "./output/output.ts";

/** One option of a command; all take a value. */
export interface OptionSpec {
  /** What stands for the value in the usage. */
  readonly value: string;
  readonly required: boolean;
}

/** What the user asked for, checked: every argument and every required option is there. */
export interface Invocation {
  readonly client: OperatorClient;
  readonly output: Output;
  argument(name: string): string;
  option(name: string): string;
  optional(name: string): string | undefined;
}

export interface Command {
  /** How it is called, for example `account create`. */
  readonly name: string;
  /** Positional arguments, all required. */
  readonly arguments: readonly string[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly summary: string;
  run(invocation: Invocation): Promise<void>;
}

/** The command line makes no sense; what is wrong with it, in one line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
