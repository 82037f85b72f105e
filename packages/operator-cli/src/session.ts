import { type OperatorClient, type OperatorMethod, OperatorRefused } from "./operator-client.ts";
import type { Output, Progress, Row } from "./output.ts";

/** What a command works with: the service to ask, and where to print its answer. */
export class OperatorSession {
  readonly client: OperatorClient;
  readonly output: Output;

  constructor(client: OperatorClient, output: Output) {
    this.client = client;
    this.output = output;
  }

  /** Sends a request and prints the object it is answered with. */
  async show(method: OperatorMethod, path: string, body?: object): Promise<void> {
    await this.output.value(row(await this.client.request(method, path, body)));
  }

  /** Sends a request and prints the rows it is answered with, `{ data: [...] }`. */
  async list(method: OperatorMethod, path: string, body?: object): Promise<void> {
    const answer = await this.client.request(method, path, body);
    const { data } = row(answer);
    if (!isList(data)) throw unexpectedResponse(answer);
    await this.output.list(data);
  }
}

/**
 * The results, one at least, of work that tells its progress in JSON lines, with a bar on a terminal meanwhile.
 * @throws OperatorRefused a part of it failed, which does not end the others; or it ended without a result.
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

/** @throws OperatorRefused the answer is no list of objects. */
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

/** @throws OperatorRefused the answer is no object. */
export function row(answer: unknown): Row {
  if (!isRow(answer)) throw unexpectedResponse(answer);
  return answer;
}

function unexpectedResponse(value: unknown): OperatorRefused {
  return new OperatorRefused([`an answer of an unexpected shape: ${JSON.stringify(value)}`]);
}
