import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { BookedPayment, DeliveryOptions, StripeDoubleControl } from "./control.ts";
import { Books, type Charge, type Intent, type Refund } from "./objects/books.ts";
import { createDispute } from "./objects/disputes.ts";
import { completeRefund, createRefund, failRefund } from "./objects/refunds.ts";
import { Api } from "./server/api.ts";
import type { Fault } from "./server/faults.ts";
import type { SeenRequest } from "./server/request.ts";
import { postEvent } from "./webhooks.ts";

const CONTROL = "/_double/";

/** A server on 127.0.0.1 that answers as Stripe does, moves no money, and fails on demand. */
export class StripeDouble implements StripeDoubleControl {
  readonly secretKey = "sk_test_double";
  readonly webhookSecret = "whsec_double";
  readonly #books = new Books();
  readonly #api = new Api(this.#books, this.secretKey);
  #server: http.Server | undefined;
  #port = 0;

  /** @param port 0: a free one. */
  static async start(port = 0): Promise<StripeDouble> {
    const double = new StripeDouble();
    double.#port = port;
    await double.#listen();
    return double;
  }

  /** For `STRIPE_API_URL`. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }

  failNext(operation: string, ...faults: readonly Fault[]): void {
    this.#api.faults.add(operation, faults);
  }

  release(): void {
    this.#api.faults.release();
  }

  reset(): void {
    this.#api.faults.reset();
    this.#api.searchLagMs = 0;
    this.#api.secretKey = this.secretKey;
    this.#api.keys.whileInUse = "in use";
  }

  advance(ms: number): void {
    this.#books.clock.advance(ms);
  }

  lagSearch(ms: number): void {
    this.#api.searchLagMs = ms;
  }

  replaceKey(secretKey: string): void {
    this.#api.secretKey = secretKey;
  }

  whileKeyIsInUse(refusal: "in use" | "other parameters"): void {
    this.#api.keys.whileInUse = refusal;
  }

  async refuseConnections(refused: boolean): Promise<void> {
    if (refused) await this.stop();
    else if (this.#server === undefined) await this.#listen();
  }

  payments(): readonly BookedPayment[] {
    return [...this.#books.intents.values()].map((intent) => this.#booked(intent));
  }

  requests(): readonly SeenRequest[] {
    return this.#api.seen;
  }

  completeRefund(gatewayId: string): void {
    completeRefund(this.#books, this.#refund(gatewayId));
  }

  failRefund(gatewayId: string, reason: string): void {
    failRefund(this.#books, this.#refund(gatewayId), reason);
  }

  refundByHand(intentId: string, amount: number): string {
    return String(createRefund(this.#books, { payment_intent: intentId, amount: String(amount) }).id);
  }

  dispute(intentId: string, reason: string): string {
    const charge = this.#chargeOf(intentId);
    if (charge === undefined) throw new Error(`${intentId} has no charge`);
    return createDispute(this.#books, charge, reason).id;
  }

  async deliver(url: string, options: DeliveryOptions = {}): Promise<readonly number[]> {
    const events = [...this.#books.events.values()];
    if (options.backwards === true) events.reverse();
    const statuses: number[] = [];
    for (const event of events) {
      for (let time = 0; time < (options.times ?? 1); time += 1) {
        const at = options.at ?? this.#books.clock.seconds();
        statuses.push(await postEvent(url, event, options.secret ?? this.webhookSecret, at));
      }
    }
    return statuses;
  }

  #booked(intent: Intent): BookedPayment {
    const charge = this.#chargeOf(intent.id);
    const refunds = [...this.#books.refunds.values()].filter(({ payment_intent: of }) => of === intent.id);
    return {
      paymentId: intent.metadata.payment_id,
      intentId: intent.id,
      status: intent.status,
      amount: intent.amount,
      currency: intent.currency,
      received: intent.amount_received,
      refunded: charge?.amount_refunded ?? 0,
      refunds: refunds.map((refund) => ({
        refundId: refund.metadata.refund_id,
        gatewayId: refund.id,
        amount: refund.amount,
        status: refund.status,
        reason: refund.reason as string | null,
      })),
      disputed: charge?.disputed ?? false,
    };
  }

  #chargeOf(intentId: string): Charge | undefined {
    return this.#books.charges.get(this.#books.intents.get(intentId)?.latest_charge ?? "");
  }

  #refund(gatewayId: string): Refund {
    const refund = this.#books.refunds.get(gatewayId);
    if (refund === undefined) throw new Error(`no refund ${gatewayId}`);
    return refund;
  }

  async #listen(): Promise<void> {
    const server = http.createServer((request, response) => {
      const handled = request.url?.startsWith(CONTROL)
        ? this.#control(request, response)
        : this.#api.handle(request, response);
      handled.catch((failure: unknown) => response.writeHead(599).end(String(failure)));
    });
    server.listen(this.#port, "127.0.0.1");
    await once(server, "listening");
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async #control(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const name = request.url?.slice(CONTROL.length) ?? "";
    const called = (this as unknown as Record<string, unknown>)[name];
    const parameters = (await json(request)) as unknown[];
    if (typeof called !== "function") return void response.writeHead(404).end();
    const result: unknown = await called.apply(this, parameters);
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(result ?? null));
  }
}
