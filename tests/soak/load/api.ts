import { setTimeout as pause } from "node:timers/promises";
import type { ApiClient } from "../../support/api-client.ts";
import type { OperatorClientResponse } from "../../support/operator-caller.ts";
import { repeatUntilAnswered } from "../../support/repeat-until-answered.ts";
import type { Traffic } from "./traffic.ts";

export interface Request {
  /** What it counts as. */
  readonly kind: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of an answer that does what was asked. */
  readonly expected: number;
  /** Of refusals that have to be reckoned with. */
  readonly refusals?: readonly number[];
}

export interface PacedApiOptions {
  readonly api: ApiClient;
  readonly traffic: Traffic;
  /** Milliseconds from one request to the next, on average. */
  readonly interval: number;
  readonly random: () => number;
  /** Begins every key. */
  readonly name: string;
}

/** Sends one customer's requests, not too fast, each under a key of its own until it is answered for good. */
export class PacedApi {
  readonly #options: PacedApiOptions;
  #keys = 0;
  #dueAt = 0;

  constructor(options: PacedApiOptions) {
    this.#options = options;
  }

  /** Undefined: it was refused. @throws Error the answer is none that was to be expected, or there is none. */
  async send<Body>({ kind, method, path, body, headers, expected, refusals = [] }: Request): Promise<Body | undefined> {
    const { api, name } = this.#options;
    this.#keys += 1;
    const key = method === "POST" || method === "PATCH" ? { "Idempotency-Key": `${name}-${this.#keys}` } : {};
    const answer = await this.#ask(kind, () => api.call<Body>(method, path, body, { ...key, ...headers }));
    return this.#judge(kind, `${method} ${path}`, answer, expected, refusals) ? answer.body : undefined;
  }

  /** What the operator does for the customer; the same again changes nothing. */
  async operate(kind: string, call: () => Promise<OperatorClientResponse>, expected: number): Promise<void> {
    this.#judge(kind, kind, await this.#ask(kind, call), expected, []);
  }

  async #ask<Answer extends OperatorClientResponse | Awaited<ReturnType<ApiClient["call"]>>>(
    kind: string,
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    await this.#pace();
    const { traffic } = this.#options;
    let startedAt = 0;
    return repeatUntilAnswered(
      () => {
        startedAt = performance.now();
        return ask();
      },
      (answer) => traffic.attempted(kind, startedAt, answer?.status),
    );
  }

  async #pace(): Promise<void> {
    const { interval, random } = this.#options;
    await pause(Math.max(0, this.#dueAt - performance.now()));
    this.#dueAt = performance.now() + interval * (0.5 + random());
  }

  #judge(
    kind: string,
    what: string,
    { status, body }: { readonly status: number; readonly body: unknown },
    expected: number,
    refusals: readonly number[],
  ): boolean {
    if (status === expected) this.#options.traffic.acknowledged(kind);
    else if (refusals.includes(status)) this.#options.traffic.refused();
    else throw new Error(`${what} was answered ${status} ${JSON.stringify(body)}`);
    return status === expected;
  }
}
