import { parseArgs } from "node:util";
import { type Command, UsageError } from "./command.ts";

export interface ParsedCommandLine {
  readonly command: Command;
  readonly arguments: ReadonlyMap<string, string>;
  readonly options: ReadonlyMap<string, string>;
  readonly json: boolean;
}

/** The command whose words the line begins with; commands have one word or two. */
function commandOf(commands: readonly Command[], words: readonly string[]): Command {
  const [first, second] = words;
  if (first === undefined) throw new UsageError("no command given");
  const found = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  if (found !== undefined) return found;
  throw new UsageError(`there is no command ${JSON.stringify([first, second].filter(Boolean).join(" "))}`);
}

function argumentsOf(command: Command, words: readonly string[]): Map<string, string> {
  const given = words.slice(command.name.split(" ").length);
  const missing = command.arguments[given.length];
  if (missing !== undefined) throw new UsageError(`${command.name} needs ${missing}`);
  const extra = given[command.arguments.length];
  if (extra !== undefined) throw new UsageError(`${command.name} takes no ${JSON.stringify(extra)}`);
  return new Map(command.arguments.map((name, index) => [name, given[index] ?? ""]));
}

interface Parts {
  readonly positionals: readonly string[];
  readonly options: ReadonlyMap<string, string>;
  readonly json: boolean;
}

function parseStrictly(line: readonly string[], names: readonly string[]): Parts {
  // Values are collected as lists so that an option given twice shows.
  const text = { type: "string", multiple: true } as const;
  const options: Record<string, typeof text> = Object.fromEntries(names.map((name) => [name, text]));
  const json = { type: "boolean", multiple: true } as const;
  try {
    const { positionals, values } = parseArgs({
      args: [...line],
      options: { ...options, json },
      allowPositionals: true,
      strict: true,
    });
    for (const [name, value] of Object.entries(values)) {
      if (value !== undefined && value.length > 1) throw new UsageError(`--${name} is given twice`);
    }
    const given = Object.entries(values).flatMap(([name, list]): (readonly [string, string])[] => {
      const value = list?.[0];
      return typeof value === "string" ? [[name, value]] : [];
    });
    return { positionals, options: new Map(given), json: values.json !== undefined };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError((error as Error).message.split(". ")[0] ?? "");
  }
}

/** An option's value that is a negative number looks like an option: `--points -5` is read as `--points=-5`. */
function withNegativeNumbers(line: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const word of line) {
    const before = joined.at(-1);
    if (/^-\d+$/.test(word) && before !== undefined && /^--[a-z]+$/.test(before))
      joined.splice(-1, 1, `${before}=${word}`);
    else joined.push(word);
  }
  return joined;
}

/** The words of a line that are no option and, as far as can be told, no option's value. */
function positionalsOf(line: readonly string[], commands: readonly Command[]): readonly string[] {
  const every = commands.flatMap((command) => Object.keys(command.options));
  return parseStrictly(line, every).positionals;
}

/**
 * Reads a command line strictly.
 * @throws UsageError an unknown command or option, one twice, a missing argument or required option, or too many.
 */
export function parseCommandLine(commands: readonly Command[], words: readonly string[]): ParsedCommandLine {
  const line = withNegativeNumbers(words);
  const command = commandOf(commands, positionalsOf(line, commands));
  const { positionals, options, json } = parseStrictly(line, Object.keys(command.options));
  for (const [name, { required }] of Object.entries(command.options)) {
    if (required && !options.has(name)) throw new UsageError(`${command.name} needs --${name}`);
  }
  return { command, arguments: argumentsOf(command, positionals), options, json };
}
