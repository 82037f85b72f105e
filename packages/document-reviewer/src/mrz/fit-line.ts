import { FILLER } from "./check-digit.ts";
import type { Field } from "./format.ts";

/** Characters that are taken for each other; of one, some readers see two. */
export const LOOK_ALIKE = ["0OQDU", "1ILJ", "2Z", "5S", "6G", "8B"];
/** So many characters may a line be too long or too short. */
const MOST_OFF = 6;
const MOST_DOUBLED = 2;
const MOST_WAYS = 64;

/** What is read in fillers, which no reader of plain text knows well. */
const MISREAD_FILLERS = /^(?:[A-Z]|[CKLS]{2,})$/;

/** The ways in which a line may have this length: one of two look-alikes left out, fillers counted anew. */
export function fitToLength(line: string, length: number): readonly string[] {
  const ways = new Set<string>();
  let lines = [line];
  for (let left = 0; left <= MOST_DOUBLED && lines.length > 0; left += 1) {
    for (const one of lines) {
      const way = withFillers(one, length);
      if (way !== undefined) ways.add(way);
    }
    lines = lines.flatMap(withoutOneOfTwo).slice(0, MOST_WAYS);
  }
  return [...ways].slice(0, MOST_WAYS);
}

/** A line that ends with names: behind them there are fillers only, whatever was read there. */
export function fitNamesLine(line: string, length: number, [, from]: Field): string | undefined {
  const [surname = "", givenNames = ""] = line.slice(from).split("<<");
  const words = givenNames.split(FILLER);
  while (words.length > 1 && MISREAD_FILLERS.test(words.at(-1) ?? "")) words.pop();
  const names = words.length === 1 && words[0] === "" ? surname : `${surname}<<${words.join(FILLER)}`;
  if (surname === "" || line.length < length / 2) return undefined;
  return (line.slice(0, from) + names).slice(0, length).padEnd(length, FILLER);
}

/** The longest run of fillers takes up what the line is off. */
function withFillers(line: string, length: number): string | undefined {
  const off = length - line.length;
  if (off === 0) return line;
  if (Math.abs(off) > MOST_OFF) return undefined;
  const [longest] = [...line.matchAll(/<+/g)].sort((one, other) => other[0].length - one[0].length);
  if (longest === undefined || longest[0].length + off < 0) return undefined;
  const filled = FILLER.repeat(longest[0].length + off);
  return line.slice(0, longest.index) + filled + line.slice(longest.index + longest[0].length);
}

function withoutOneOfTwo(line: string): readonly string[] {
  const ways: string[] = [];
  for (let at = 0; at + 1 < line.length; at += 1) {
    const [one = "", other = ""] = [line[at], line[at + 1]];
    if (one === other || !LOOK_ALIKE.some((group) => group.includes(one) && group.includes(other))) continue;
    ways.push(line.slice(0, at) + line.slice(at + 1), line.slice(0, at + 1) + line.slice(at + 2));
  }
  return ways;
}
