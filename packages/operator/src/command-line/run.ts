import { Command, CommanderError, Help, InvalidArgumentError } from "commander";
import { OperatorClient, OperatorRefused, OperatorUnreachable } from "../client/operator-client.ts";
import { findOperatorConnection, OperatorConnectionMissing } from "../client/operator-connection.ts";
import { addBookingCommands } from "./commands/bookings.ts";
import { addCustomerCommands } from "./commands/customers.ts";
import { addDocumentCommands } from "./commands/documents.ts";
import { addFlightCommands } from "./commands/flights.ts";
import { addMoneyCommands } from "./commands/money.ts";
import { addPassCommands } from "./commands/passes.ts";
import { addReportCommands } from "./commands/reports.ts";
import { addServiceCommands } from "./commands/service.ts";
import { addWebhookCommands } from "./commands/webhooks.ts";
import { Output, type Sink } from "./output.ts";
import { OperatorSession, type Source } from "./session.ts";

export interface CliContext {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly stdin: Source;
  /** Milliseconds between two requests of `--watch`; two seconds if absent. */
  readonly watchMs?: number;
}

/** Runs one command line. Returns the exit code: 0 done, 1 refused or not reachable, 2 usage. */
export async function run(line: readonly string[], context: CliContext): Promise<number> {
  try {
    await createProgram(context).parseAsync(line, { from: "user" });
    return 0;
  } catch (error) {
    // Commander has already written what is wrong, or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!isExpected(error)) throw error;
    context.stderr.write(`${error.message}\n`);
    return 1;
  }
}

function isExpected(error: unknown): error is Error {
  return [OperatorRefused, OperatorUnreachable, OperatorConnectionMissing].some((kind) => error instanceof kind);
}

function createProgram(context: CliContext): Command {
  const { env, stdout, stderr, watchMs = 2_000 } = context;
  const program = new Command("npx tbs")
    .usage("<command> [--json] [--wide] [--yes] [--watch]")
    .description("Operates a Travel Booking Service. --help after a command shows its options.")
    .option("--json", "answer with one JSON value")
    .option("--wide", "show all of a table, however wide it gets")
    .option("--yes", "on a terminal: ask nothing before what can't be undone")
    .option("--watch", "for what shows something: show it again every two seconds")
    .addHelpText(
      "after",
      "\nThe service is found through OPERATOR_URL and OPERATOR_TOKEN, else through DATA_DIR (./data). OPERATOR_NAME is recorded with what you change.",
    )
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // Puts the nearest command or option on the same line.
      outputError: (text, write) => write(text.replace("\n(", " (")),
    })
    .configureHelp({ formatHelp: helpOfAllCommands })
    .exitOverride();
  const session = new OperatorSession(
    new OperatorClient(() => findOperatorConnection(env)),
    new Output({ stdout, stderr, options: () => program.opts(), env }),
    () => (program.opts().watch === true ? watchMs : undefined),
    // Not read before, because it is opened by being named.
    () => (program.opts().yes === true ? undefined : context.stdin),
  );
  addCustomerCommands(program, session);
  addBookingCommands(program, session);
  addMoneyCommands(program, session);
  addReportCommands(program, session);
  addDocumentCommands(program, session);
  addPassCommands(program, session);
  addServiceCommands(program, session);
  addFlightCommands(program, session);
  addWebhookCommands(program, session);
  for (const command of leavesOf(program)) checkOptionValues(command);
  return program;
}

/** Lists the commands within groups, not the groups. A group may be a command itself. */
function helpOfAllCommands(command: Command, help: Help): string {
  return new Help().formatHelp(command, Object.assign(help, { visibleCommands: leavesOf, subcommandTerm: synopsis }));
}

function leavesOf(command: Command): Command[] {
  return command.commands.flatMap((inner) => {
    const isCommand = inner.commands.length === 0 || inner.registeredArguments.length > 0;
    return [...(isCommand ? [inner] : []), ...leavesOf(inner)];
  });
}

/** `account suspend <ID>` */
function synopsis(command: Command): string {
  const group = command.parent?.parent ? [command.parent.name()] : [];
  const options = command.options.length === 0 ? [] : ["[options]"];
  const args = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  return [...group, command.name(), ...options, ...args].join(" ");
}

/** Commander would accept a repeated option, and an option's name as the value of the option before it. */
function checkOptionValues(command: Command): void {
  for (const option of command.options) {
    if (option.isBoolean()) continue;
    const parse = option.parseArg ?? ((value: string) => value);
    option.argParser((value, previous) => {
      if (previous !== undefined) throw new InvalidArgumentError("It is given twice.");
      if (value.startsWith("--")) throw new InvalidArgumentError("It is an option itself: a value is missing.");
      return parse(value, previous);
    });
  }
}
