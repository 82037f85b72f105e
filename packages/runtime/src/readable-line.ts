import { styleText } from "node:util";
import { printable } from "./printable.ts";

const LEVELS = { trace: "gray", debug: "gray", info: "cyan", warn: "yellow", error: "red", fatal: "red" } as const;

/** Parts of a log line that have places of their own, or mean nothing to a reader of the live log. */
interface LogLine {
  readonly level: keyof typeof LEVELS;
  readonly time: string;
  readonly service?: string;
  readonly msg?: string;
  readonly err?: { readonly type?: string; readonly message?: string; readonly stack?: string };
}

/**
 * A line of the log for people who look at a terminal: time, level, message, fields, and the cause of an error below it.
 * @param line JSON, as `createLogger` writes it
 */
export function readableLine(line: string, colours: boolean): string {
  const { level, time, service: _, msg = "", err, ...fields } = JSON.parse(line) as LogLine;
  const paint = (format: Parameters<typeof styleText>[0], text: string) =>
    colours ? styleText(format, text, { validateStream: false }) : text;
  const rest = Object.entries(fields).map(([name, value]) => paint("gray", printable(`${name}=${asText(value)}`)));
  const clock = new Date(time).toTimeString().slice(0, 8);
  const first = [paint("gray", clock), paint(LEVELS[level], level.padEnd(5)), printable(msg), ...rest].join(" ");
  if (err === undefined) return `${first}\n`;
  const wrong = err.stack?.includes(err.message ?? "") ? err.stack : `${err.type ?? "Error"}: ${err.message ?? ""}`;
  const below = wrong.split("\n").map((text) => `    ${printable(text)}`);
  return `${first}\n${paint("gray", below.join("\n"))}\n`;
}

/** Numbers rounded for people. A value that is not one word is printed as JSON. */
function asText(value: unknown): string {
  if (typeof value === "number") return String(Math.round(value * 10) / 10);
  return typeof value === "string" && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}
