import type { Api } from "../api.ts";
import type { CreatePayment, CreateRefund, Payment, Refund } from "../generated.ts";
import type { Listing } from "../listing.ts";
import type { CallOptions, CommandOptions } from "../transport.ts";
import type { QueryOf } from "../types.ts";

/** One key per attempt of the customer to pay: kept, it finds out what became of that attempt. */
export interface PaymentOptions extends CallOptions {
  /** 1 to 255 characters; the same key never charges twice. */
  readonly idempotencyKey: string;
}

export class Payments {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** A declined charge is a payment with the status `failed` and its `failureCode`. */
  create(bookingId: string, body: CreatePayment, options: PaymentOptions): Promise<Payment> {
    return this.#api.call("post", "/v1/bookings/{id}/payments", { ids: { id: bookingId }, body }, options);
  }

  /** Newest first. */
  list(query?: QueryOf<"get", "/v1/payments">, options?: CallOptions): Listing<Payment> {
    return this.#api.list("/v1/payments", { query }, options);
  }

  retrieve(id: string, options?: CallOptions): Promise<Payment> {
    return this.#api.call("get", "/v1/payments/{id}", { ids: { id } }, options);
  }

  /** Everything that is not refunded yet, unless an `amount` is given. */
  refund(id: string, body: CreateRefund = {}, options?: CommandOptions): Promise<Refund> {
    return this.#api.call("post", "/v1/payments/{id}/refunds", { ids: { id }, body }, options);
  }
}
