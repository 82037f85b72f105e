import { once } from "node:events";
import type { Writable } from "node:stream";
import { printableJson } from "@travel-booking/runtime/printable";
import { fieldList, PLAIN, type Row, type TableStyle, table } from "./table.ts";

/** A stream that may be a terminal. */
export type Sink = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Options of the command line for the output. */
export interface OutputOptions {
  readonly json?: true;
  readonly wide?: true;
}

/** Where a command's results go: JSON for programs, tables for people. */
export class Output {
  readonly #stdout: Sink;
  readonly #stderr: Sink;
  readonly #options: () => OutputOptions;
  readonly #noColour: boolean;

  constructor(output: {
    readonly stdout: Sink;
    readonly stderr: Sink;
    readonly options: () => OutputOptions;
    readonly env: NodeJS.ProcessEnv;
  }) {
    this.#stdout = output.stdout;
    this.#stderr = output.stderr;
    this.#options = output.options;
    this.#noColour = Boolean(output.env.NO_COLOR) || output.env.TERM === "dumb";
  }

  get isJson(): boolean {
    return this.#options().json === true;
  }

  /** True if standard output is a terminal. */
  get isTerminal(): boolean {
    return this.#stdout.isTTY === true;
  }

  /** One object. */
  async value(value: Row): Promise<void> {
    await this.#write(this.isJson ? printableJson(value) : fieldList(value, this.style()));
  }

  /** A list: a table, or a bare JSON array. */
  async list(rows: readonly Row[]): Promise<void> {
    await this.#write(this.isJson ? printableJson(rows) : table(rows, this.style()));
  }

  /** A line for people. */
  async line(text: string): Promise<void> {
    await this.#write(text);
  }

  /** A question, to be answered in its line. */
  ask(question: string): void {
    this.#stdout.write(question);
  }

  /** Clears a terminal. Other output gets an empty line between two results. */
  async again(): Promise<void> {
    if (this.isTerminal) this.#stdout.write(CLEAR_SCREEN);
    else if (!this.isJson) await this.#write("");
  }

  style(): TableStyle {
    if (!this.isTerminal) return PLAIN;
    const width = this.#options().wide === true ? undefined : (this.#stdout.columns ?? 80);
    return { width, now: Date.now(), colours: !this.#noColour };
  }

  /** Writes one line of a sequence of any length, always as JSON. */
  async jsonLine(value: unknown): Promise<void> {
    await this.#write(printableJson(value));
  }

  /** Warns a person. */
  warn(text: string): void {
    this.#stderr.write(`${text}\n`);
  }

  /** A bar on the terminal; undefined if standard error is no terminal, or JSON is printed. */
  progressBar(label: string): ProgressBar | undefined {
    return this.#stderr.isTTY === true && !this.isJson ? new ProgressBar(this.#stderr, label) : undefined;
  }

  async #write(text: string): Promise<void> {
    if (!this.#stdout.write(`${text}\n`)) await once(this.#stdout, "drain");
  }
}

/** The progress of a rebuild. `rate` is in events per second; `secondsLeft` is null while unknown. */
export interface Progress {
  readonly position: number;
  readonly head: number;
  readonly rate: number;
  readonly secondsLeft: number | null;
}

const WIDTH = 30;
const CLEAR_SCREEN = "\u001B[H\u001B[2J\u001B[3J";
const CLEAR_LINE = "\r\u001B[2K";

function timeLeft(seconds: number | null): string {
  if (seconds === null) return "time left unknown";
  const minutes = Math.floor(seconds / 60);
  const rest = Math.ceil(seconds - minutes * 60);
  return minutes === 0 ? `${rest} s left` : `${minutes} min ${rest} s left`;
}

/** One line with bar, share, position, rate and time left. */
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
