import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { type ArchiveLine, writeArchive } from "../archive.ts";
import { type OperatorClient, type OperatorMethod, OperatorRefused } from "../client/operator-client.ts";
import { csvLines } from "../csv.ts";
import type { Output, Progress } from "./output.ts";
import type { Row } from "./table.ts";

/** A stream that may be a terminal. */
export type Source = Readable & { readonly isTTY?: boolean };

/** The tools of a command: a client of the service, and the output for its responses. */
export class OperatorSession {
  readonly client: OperatorClient;
  readonly output: Output;

  readonly #watchMs: () => number | undefined;
  readonly #answers: () => Source | undefined;

  /**
   * @param watchMs milliseconds after which a result is fetched and shown again; undefined: it is shown once.
   * @param answers where an operator answers questions; undefined: none is asked.
   */
  constructor(
    client: OperatorClient,
    output: Output,
    watchMs: () => number | undefined,
    answers: () => Source | undefined,
  ) {
    this.client = client;
    this.output = output;
    this.#watchMs = watchMs;
    this.#answers = answers;
  }

  /**
   * Before what can't be undone: on a terminal the operator types the name of what it is done to.
   * @param preview what it would do, said first.
   * @throws OperatorRefused another one was typed.
   */
  async confirm(name: string, preview?: () => Promise<string>): Promise<void> {
    const { isJson, isTerminal } = this.output;
    const input = isJson || !isTerminal ? undefined : this.#answers();
    if (input?.isTTY !== true) return;
    if (preview !== undefined) await this.output.line(await preview());
    this.output.ask(`This can't be undone. Type ${name} to do it: `);
    for await (const line of createInterface({ input })) {
      if (line.trim() === name) return;
      break;
    }
    throw new OperatorRefused([`that is not ${name}: nothing was done (--yes asks nothing)`]);
  }

  /** Sends a request and prints the object in the response. */
  async show(method: OperatorMethod, path: string, body?: object): Promise<void> {
    await this.#repeatedly(method, async () => {
      await this.output.value(row(await this.client.request(method, path, body)));
    });
  }

  /** Sends a request and prints the wanted rows of its response, `{ data: [...] }`. */
  async list(method: OperatorMethod, path: string, body?: object, wanted: (row: Row) => boolean = () => true) {
    await this.#repeatedly(method, async () => {
      const answer = await this.client.request(method, path, body);
      const { data } = row(answer);
      if (!isList(data)) throw unexpectedResponse(answer);
      await this.output.list(data.filter(wanted));
    });
  }

  /** Prints the JSON lines of a response as a CSV table (`csvLines`), as they come; with `--json` as they are. */
  async csv(path: string, columns?: readonly string[]): Promise<void> {
    const records = this.client.lines("GET", path) as AsyncIterable<object>;
    if (this.output.isJson) for await (const record of records) await this.output.jsonLine(record);
    else for await (const line of csvLines(records, columns)) await this.output.line(line);
  }

  /** Writes a response into a new tar archive. */
  async archive(path: string, file: string): Promise<void> {
    const lines = this.client.lines("GET", path) as AsyncGenerator<ArchiveLine>;
    await this.output.value({ path: file, bytes: await writeArchive(lines, file) });
  }

  /** Repeats `show` only for reading; changes are made once. */
  async #repeatedly(method: OperatorMethod, show: () => Promise<void>): Promise<void> {
    const watchMs = this.#watchMs();
    if (watchMs === undefined) return show();
    if (method !== "GET") throw new OperatorRefused(["--watch is for commands that show something"]);
    for (;;) {
      await this.output.again();
      await show();
      await setTimeout(watchMs);
    }
  }
}

/**
 * Follows work that reports its progress in JSON lines, with a bar on a terminal. Returns its results, at least one.
 * @throws OperatorRefused a part of the work failed, which does not end the others; or it ended without a result.
 */
export async function followed(
  { client, output }: OperatorSession,
  label: string,
  method: OperatorMethod,
  path: string,
  body?: object,
): Promise<readonly unknown[]> {
  const bar = output.progressBar(label);
  const results: unknown[] = [];
  const failures: string[] = [];
  try {
    for await (const line of client.lines(method, path, body)) {
      const { progress, result, error } = row(line);
      if (progress !== undefined) bar?.show(progressOf(progress));
      if (error !== undefined) failures.push(String(isRow(error) ? error.message : error));
      if (result !== undefined) results.push(result);
    }
  } finally {
    bar?.clear();
  }
  if (results.length === 0 && failures.length === 0) failures.push(`${label}: the service ended it without a result`);
  if (failures.length > 0) throw new OperatorRefused(failures);
  return results;
}

function progressOf(value: unknown): Progress {
  const { position, head, rate, secondsLeft } = row(value);
  return {
    position: Number(position),
    head: Number(head),
    rate: Number(rate),
    secondsLeft: typeof secondsLeft === "number" ? secondsLeft : null,
  };
}

/** @throws OperatorRefused the response is no list of objects. */
export function rows(answer: unknown): readonly Row[] {
  if (!isList(answer)) throw unexpectedResponse(answer);
  return answer;
}

function isList(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.every(isRow);
}

export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @throws OperatorRefused the response is no object. */
export function row(answer: unknown): Row {
  if (!isRow(answer)) throw unexpectedResponse(answer);
  return answer;
}

function unexpectedResponse(value: unknown): OperatorRefused {
  return new OperatorRefused([`an answer of an unexpected shape: ${JSON.stringify(value)}`]);
}
