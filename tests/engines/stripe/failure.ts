import type { Shape } from "./objects/shape.ts";

/** An answer of Stripe that is no success. */
export class StripeFailure extends Error {
  readonly status: number;
  readonly error: Shape;

  constructor(status: number, error: Shape) {
    super(String(error.message));
    this.status = status;
    this.error = error;
  }
}

/** 400: the content of the request is at fault. */
export function invalidRequest(message: string, more: Shape = {}): StripeFailure {
  return new StripeFailure(400, { type: "invalid_request_error", message, ...more });
}

/** In a path 404, in a body 400. */
export function noSuch(kind: string, id: string, param: string, status = 400): StripeFailure {
  return new StripeFailure(status, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${kind}: '${id}'`,
    param,
  });
}
