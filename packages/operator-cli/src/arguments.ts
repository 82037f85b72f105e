import path from "node:path";
import { UsageError } from "./command.ts";

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** `20m` as seconds. @throws UsageError for anything but a whole number above 0 with s, m, h or d. */
export function durationInSeconds(text: string): number {
  const [, digits, unit = ""] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const seconds = Number(digits) * (UNIT_SECONDS[unit] ?? Number.NaN);
  if (Number.isSafeInteger(seconds) && seconds > 0) return seconds;
  throw new UsageError(`${JSON.stringify(text)} is no duration: write a whole number with s, m, h or d, such as 20m`);
}

/** A whole number of cents above 0. @throws UsageError */
export function amountInCents(text: string): number {
  const cents = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(cents) && cents > 0) return cents;
  throw new UsageError(`--amount takes a whole number of cents above 0, not ${JSON.stringify(text)}`);
}

/** A whole number of points other than 0. @throws UsageError */
export function wholePoints(text: string): number {
  const points = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(points) && points !== 0) return points;
  throw new UsageError(`--points takes a whole number other than 0, not ${JSON.stringify(text)}`);
}

/** A place in a list, from 0. @throws UsageError */
export function listIndex(text: string, what: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new UsageError(`${what} takes a whole number from 0, not ${JSON.stringify(text)}`);
}

/** One of a list of words. @throws UsageError */
export function oneOf<Word extends string>(words: readonly Word[], text: string, what: string): Word {
  const word = words.find((candidate) => candidate === text);
  if (word !== undefined) return word;
  throw new UsageError(`${what} takes ${words.join(" or ")}, not ${JSON.stringify(text)}`);
}

/** Words between blanks. @throws UsageError where there is none. */
export function wordsOf(text: string, what: string): readonly string[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  if (words.length > 0) return words;
  throw new UsageError(`${what} names nothing`);
}

/** A path as the user meant it: npm runs scripts in the root folder, wherever they were called from. */
export function userPath(text: string, env: NodeJS.ProcessEnv = process.env): string {
  const calledFrom = env.npm_lifecycle_event === "operator" ? env.INIT_CWD : undefined;
  return path.resolve(calledFrom ?? process.cwd(), text);
}
