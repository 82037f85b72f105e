import { once } from "node:events";
import type { Writable } from "node:stream";
import { printable, printableJson } from "./printable.ts";

/** A stream that may be a terminal. */
export type Sink = Writable & { readonly isTTY?: boolean };

/** Where a command's results go: JSON for programs, tables for people. */
export class Output {
  readonly #stdout: Sink;
  readonly #stderr: Sink;
  readonly #isJson: () => boolean;

  constructor(options: { readonly stdout: Sink; readonly stderr: Sink; readonly isJson: () => boolean }) {
    this.#stdout = options.stdout;
    this.#stderr = options.stderr;
    this.#isJson = options.isJson;
  }

  /** One object. */
  async value(value: Row): Promise<void> {
    await this.#write(this.#isJson() ? printableJson(value) : fieldList(value));
  }

  /** A list: a table, or a bare JSON array. */
  async list(rows: readonly Row[]): Promise<void> {
    await this.#write(this.#isJson() ? printableJson(rows) : table(rows));
  }

  /** One line of a sequence of any length; JSON in either case. */
  async jsonLine(value: unknown): Promise<void> {
    await this.#write(printableJson(value));
  }

  /** A bar on the terminal; undefined where standard error is no terminal, or JSON is printed. */
  progressBar(label: string): ProgressBar | undefined {
    return this.#stderr.isTTY === true && !this.#isJson() ? new ProgressBar(this.#stderr, label) : undefined;
  }

  async #write(text: string): Promise<void> {
    if (!this.#stdout.write(`${text}\n`)) await once(this.#stdout, "drain");
  }
}

export type Row = Readonly<Record<string, unknown>>;

const NOTHING = "-";
const GAP = "  ";

function show(value: unknown): string {
  if (value === null || value === undefined || value === "") return NOTHING;
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) return printable(value.join(" "));
  return typeof value === "object" ? printableJson(value) : printable(String(value));
}

function align(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 0))
    .join(GAP)
    .trimEnd();
}

/** One row a line under a heading; the columns are the fields of all rows, in the order they first appear. */
function table(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0) return "none";
  const lines = [columns, ...rows.map((row) => columns.map((column) => show(row[column])))];
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => cells[index]?.length ?? 0)));
  return lines.map((cells) => align(cells, widths)).join("\n");
}

/** One field a line. */
function fieldList(row: Row): string {
  const names = Object.keys(row);
  const width = Math.max(0, ...names.map((name) => name.length));
  return names.map((name) => align([name, show(row[name])], [width, 0])).join("\n");
}

/** How far a rebuild is. `rate` in events per second; `secondsLeft` null while unknown. */
export interface Progress {
  readonly position: number;
  readonly head: number;
  readonly rate: number;
  readonly secondsLeft: number | null;
}

const WIDTH = 30;
const CLEAR_LINE = "\r\u001B[2K";

function timeLeft(seconds: number | null): string {
  if (seconds === null) return "time left unknown";
  const minutes = Math.floor(seconds / 60);
  const rest = Math.ceil(seconds - minutes * 60);
  return minutes === 0 ? `${rest} s left` : `${minutes} min ${rest} s left`;
}

/** One line: bar, share, position, rate, time left. */
function progressLine(label: string, { position, head, rate, secondsLeft }: Progress): string {
  const share = head === 0 ? 1 : Math.min(1, position / head);
  const filled = Math.floor(share * WIDTH);
  const bar = "#".repeat(filled) + ".".repeat(WIDTH - filled);
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  return `${label} [${bar}]${percent}  ${position}/${head}  ${Math.round(rate)}/s  ${timeLeft(secondsLeft)}`;
}

/** Redraws one line of a terminal; `clear` removes it. */
class ProgressBar {
  readonly #terminal: Sink;
  readonly #label: string;

  constructor(terminal: Sink, label: string) {
    this.#terminal = terminal;
    this.#label = label;
  }

  show(progress: Progress): void {
    this.#terminal.write(CLEAR_LINE + progressLine(this.#label, progress));
  }

  clear(): void {
    this.#terminal.write(CLEAR_LINE);
  }
}
