import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { invalidRequest, StripeFailure } from "../failure.ts";
import type { Books } from "../objects/books.ts";
import type { Shape } from "../objects/shape.ts";
import { ANSWER_LOST } from "../objects/test-cards.ts";
import { type Fault, Faults } from "./faults.ts";
import { canonical, parseForm } from "./form.ts";
import { type Answer, IdempotencyKeys, keyInUse } from "./idempotency.ts";
import { expanded, OPERATIONS, operationOf } from "./operations.ts";
import type { SeenRequest } from "./request.ts";

/** What is refused before the double looks at the request, by the fault. */
const REFUSALS: Partial<Record<Fault, StripeFailure>> = {
  "429": new StripeFailure(429, { type: "invalid_request_error", code: "rate_limit", message: "Too many requests." }),
  "503": new StripeFailure(503, { type: "api_error", message: "Unavailable." }),
  "403": new StripeFailure(403, { type: "invalid_request_error", message: "The key lacks the permission." }),
  "500 unkept": new StripeFailure(500, { type: "api_error", message: "Something went wrong." }),
};
const SERVER_ERROR: Answer = { status: 500, body: { error: { type: "api_error", message: "Something went wrong." } } };
const MAY_NOT_CHARGE = invalidRequest("The account can make test charges only.", { code: "testmode_charges_only" });

/** Stripe's HTTP API. */
export class Api {
  readonly #books: Books;
  readonly keys: IdempotencyKeys;
  readonly faults = new Faults();
  readonly seen: SeenRequest[] = [];
  /** The one secret key that is accepted. */
  secretKey: string;
  /** How long search does not know what is new. */
  searchLagMs = 0;

  constructor(books: Books, secretKey: string) {
    this.#books = books;
    this.keys = new IdempotencyKeys(books.clock);
    this.secretKey = secretKey;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const [path = "", query = ""] = (request.url ?? "").split("?");
    const method = request.method ?? "GET";
    const known = operationOf(method, path);
    const fault = known && this.faults.take(known.name);
    const seen: SeenRequest = {
      operation: known?.name ?? `${method} ${path}`,
      params: {},
      idempotencyKey: header(request, "idempotency-key"),
      apiVersion: header(request, "stripe-version"),
      fault,
      status: undefined,
    };
    this.seen.push(seen);
    if (fault === "cut before") return void request.socket.destroy();
    if (fault === "silent before") return;
    let answer: Answer & { readonly replayed?: boolean };
    try {
      const params = parseForm(method === "POST" ? body : query);
      Object.assign(seen.params, params);
      this.#refuse(request, seen, known !== undefined);
      answer = await this.#answer(seen, path, known?.id ?? "", params);
    } catch (failure) {
      if (!(failure instanceof StripeFailure)) throw failure;
      answer = answerOf(failure);
    }
    const losesAnswer = !answer.replayed && JSON.stringify(seen.params).includes(`"${ANSWER_LOST}"`);
    if (fault === "cut after" || losesAnswer) return void request.socket.destroy();
    if (fault === "silent after") return;
    if (fault === "hold after") await this.faults.released;
    seen.status = answer.status;
    send(response, answer, seen);
  }

  #refuse(request: IncomingMessage, { operation, fault, idempotencyKey }: SeenRequest, isKnown: boolean): void {
    if (header(request, "authorization") !== `Bearer ${this.secretKey}`) {
      throw new StripeFailure(401, { type: "invalid_request_error", message: "Invalid API Key provided." });
    }
    if (!isKnown) {
      throw new StripeFailure(404, {
        type: "invalid_request_error",
        message: `Unrecognized request URL (${operation}).`,
      });
    }
    const refusal = fault && REFUSALS[fault];
    if (refusal !== undefined) throw refusal;
    if (fault === "409") throw keyInUse(idempotencyKey ?? "none");
  }

  async #answer(seen: SeenRequest, path: string, id: string, params: Shape) {
    const { operation: name, fault, idempotencyKey: key } = seen;
    const operation = OPERATIONS[name];
    if (operation === undefined) throw new Error(`${name} is no operation`);
    operation.check?.(params);
    const stored = key === undefined ? undefined : this.keys.begin(key, `${name} ${path} ${canonical(params)}`);
    if (stored !== undefined) return { ...stored, replayed: true };
    if (fault === "hold before") await this.faults.released;
    const answer = this.#execute(name, { id, params, path, searchedUpTo: this.#searchedUpTo() }, fault);
    if (key !== undefined) this.keys.end(key, answer);
    return answer;
  }

  #execute(
    name: string,
    call: Parameters<(typeof OPERATIONS)[string]["execute"]>[1],
    fault: Fault | undefined,
  ): Answer {
    if (fault === "500 before") return SERVER_ERROR;
    if (fault === "may not charge") return answerOf(MAY_NOT_CHARGE);
    let answer: Answer;
    try {
      const object = OPERATIONS[name]?.execute(this.#books, call) ?? {};
      answer = { status: 200, body: expanded(this.#books, object, call.params.expand) };
    } catch (failure) {
      if (!(failure instanceof StripeFailure)) throw failure;
      answer = answerOf(failure);
    }
    return fault === "500 after" ? SERVER_ERROR : answer;
  }

  #searchedUpTo(): number {
    return Math.floor((this.#books.clock.nowMs() - this.searchLagMs) / 1000);
  }
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function answerOf({ status, error }: StripeFailure): Answer {
  return { status, body: { error } };
}

function send(response: ServerResponse, answer: Answer & { readonly replayed?: boolean }, seen: SeenRequest): void {
  response.writeHead(answer.status, {
    "Content-Type": "application/json",
    "Request-Id": `req_double${Math.random().toString(36).slice(2, 14)}`,
    "Stripe-Version": seen.apiVersion ?? "unknown",
    ...(seen.idempotencyKey !== undefined && { "Idempotency-Key": seen.idempotencyKey }),
    ...(answer.replayed === true && { "Idempotent-Replayed": "true" }),
    ...(answer.status === 500 && { "Stripe-Should-Retry": "false" }),
  });
  response.end(JSON.stringify(answer.body));
}
