import { once } from "node:events";
import { ProgressBar } from "./progress-bar.ts";
import type { Sink } from "./sink.ts";
import { fieldList, type Row, table } from "./table.ts";

/** Where a command's results go: JSON for programs, tables for people. */
export class Output {
  readonly #stdout: Sink;
  readonly #stderr: Sink;
  readonly #json: boolean;

  constructor(options: { readonly stdout: Sink; readonly stderr: Sink; readonly json: boolean }) {
    this.#stdout = options.stdout;
    this.#stderr = options.stderr;
    this.#json = options.json;
  }

  /** One thing. */
  async value(value: Row): Promise<void> {
    await this.#write(this.#json ? JSON.stringify(value) : fieldList(value));
  }

  /** A list, as a bare array where JSON is asked for. */
  async list(rows: readonly Row[]): Promise<void> {
    await this.#write(this.#json ? JSON.stringify(rows) : table(rows));
  }

  /** One line of a sequence of any length: JSON either way. */
  async jsonLine(value: unknown): Promise<void> {
    await this.#write(JSON.stringify(value));
  }

  /** A bar on the terminal; undefined where nobody would see it. */
  progressBar(label: string): ProgressBar | undefined {
    return this.#stderr.isTTY === true && !this.#json ? new ProgressBar(this.#stderr, label) : undefined;
  }

  async #write(text: string): Promise<void> {
    if (!this.#stdout.write(`${text}\n`)) await once(this.#stdout, "drain");
  }
}
