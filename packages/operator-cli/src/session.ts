import { type OperatorClient, type OperatorMethod, OperatorRefused } from "./operator-client.ts";
import type { Output, Row } from "./output.ts";

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
    if (!Array.isArray(data) || !data.every(isRow)) throw unexpectedResponse(answer);
    await this.output.list(data);
  }
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
