import { expect, test } from "@jest/globals";
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TravelBookingError,
  UnprocessableError,
} from "../src/index.ts";
import { ready, ScriptedService } from "./support/scripted-service.ts";

async function errorOf(status: number, body: unknown, headers: Record<string, string> = {}): Promise<ApiError> {
  const service = await ScriptedService.start({ status, body, headers });
  const thrown: unknown = await service
    .client({ maxRetries: 0 })
    .flights.retrieve("f")
    .catch((error: unknown) => error);
  if (!(thrown instanceof ApiError)) throw thrown;
  return thrown;
}

test.each([
  [400, BadRequestError],
  [401, AuthenticationError],
  [403, PermissionError],
  [404, NotFoundError],
  [409, ConflictError],
  [422, UnprocessableError],
  [429, RateLimitError],
  [500, ServerError],
  [503, ServerError],
  [405, ApiError],
])("%d is a class of its own", async (status, Class) => {
  const error = await errorOf(status, { statusCode: status, message: "why", error: "Short" });
  expect(error).toBeInstanceOf(TravelBookingError);
  expect(error.constructor).toBe(Class);
  expect([error.name, error.status, error.message]).toStrictEqual([Class.name, status, "why"]);
});

test("has code, problems, request id and when to come back", async () => {
  const headers = { "service-error-code": "seat_held", "x-request-id": "req_1", "retry-after": "7" };
  const error = await errorOf(409, { statusCode: 409, message: ["1A is held", "1B is held"] }, headers);
  expect(error.problems).toStrictEqual(["1A is held", "1B is held"]);
  expect([error.code, error.requestId, error.retryAfter]).toStrictEqual(["seat_held", "req_1", 7]);
});

test("of a service that sends no codes has none", async () => {
  expect((await errorOf(404, { statusCode: 404, message: "no" })).code).toBeUndefined();
});

test.each([["<html>Bad Gateway</html>"], [null], [{ message: 5 }]])("of whatever a proxy says: %j", async (body) => {
  const error = await errorOf(502, body);
  expect([error.problems, error.message]).toStrictEqual([[], "the service answered 502"]);
});

test("a declined payment is none", async () => {
  const payment = { id: "pay_1", status: "failed", failureCode: "card_declined" };
  const service = await ScriptedService.start({ status: 201, body: payment });
  const options = { idempotencyKey: "k" };
  const made = await service.client().payments.create("bkg_1", { type: "card", token: "t" }, options);
  expect(made).toStrictEqual(payment);
});

test("an answer that lacks a body is none", async () => {
  const service = await ScriptedService.start(ready({}), (response) => void response.writeHead(204).end());
  await service.client().passengers.retrieve("p");
  await expect(service.client().passengers.delete("p")).resolves.toBeUndefined();
});
