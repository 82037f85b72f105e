import fs from "node:fs";
import path from "node:path";
import { secondsOf } from "@travel-booking/runtime/duration";
import { type Command, InvalidArgumentError } from "commander";
import { OperatorRefused } from "../client/operator-client.ts";
import { parseJsonFile } from "../json-file.ts";
import type { OperatorSession } from "./session.ts";

/** `20m` as seconds. @throws InvalidArgumentError */
export function durationInSeconds(text: string): number {
  const seconds = secondsOf(text);
  if (seconds !== undefined) return seconds;
  throw new InvalidArgumentError("Write a whole number above 0 with s, m, h or d, such as 20m.");
}

/**
 * Marks a command that can't be undone: on a terminal it asks first.
 * @param nameOf what it is done to, as it was typed; undefined: it does nothing yet.
 * @param preview what it would do to that, said before the question.
 */
export function irreversible(
  command: Command,
  session: Pick<OperatorSession, "confirm">,
  nameOf: (command: Command) => string | undefined = ({ args }) => args[0],
  preview?: (name: string) => Promise<string>,
): Command {
  return command.hook("preAction", async (_, action) => {
    const name = nameOf(action);
    if (name !== undefined) await session.confirm(name, preview && (() => preview(name)));
  });
}

/** @throws InvalidArgumentError */
export function amountInCents(text: string): number {
  const cents = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(cents) && cents > 0) return cents;
  throw new InvalidArgumentError("It takes a whole number of cents above 0.");
}

/** @throws InvalidArgumentError */
export function wholePoints(text: string): number {
  const points = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(points) && points !== 0) return points;
  throw new InvalidArgumentError("It takes a whole number other than 0.");
}

/** @throws InvalidArgumentError */
export function listIndex(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It takes a whole number from 0.");
}

/** @throws InvalidArgumentError */
export function days(text: string): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (number > 0) return number;
  throw new InvalidArgumentError("It takes a number of days above 0.");
}

/** Splits words at blanks. @throws InvalidArgumentError there is none. */
export function wordList(text: string): readonly string[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  if (words.length > 0) return words;
  throw new InvalidArgumentError("It names nothing.");
}

/** Encodes a name as a part of a request's path. @throws InvalidArgumentError the name can't be one. */
export function pathPart(text: string): string {
  // URLs drop `.` and `..`.
  if (["", ".", ".."].includes(text)) throw new InvalidArgumentError("It names nothing.");
  return encodeURIComponent(text);
}

/** The options of a command as the query of a request; empty: none is given. */
export function queryOf(options: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(options).map(([name, value]) => `${name}=${value}`);
  return given.length === 0 ? "" : `?${given.join("&")}`;
}

/** An absolute path. npm runs scripts in the root folder, but the user means the folder in which npm was called. */
export function userPath(text: string): string {
  const { npm_lifecycle_event: script, INIT_CWD: calledFrom } = process.env;
  return path.resolve((script === "operator" ? calledFrom : undefined) ?? process.cwd(), text);
}

/** Reads the JSON of a file. @throws OperatorRefused the file has none. */
export function readJson(file: string): object {
  try {
    return parseJsonFile(fs.readFileSync(file, "utf8"));
  } catch (error) {
    throw new OperatorRefused([`${file} can't be read as JSON: ${(error as Error).message}`]);
  }
}
