import { describe, expect, test } from "@jest/globals";
import {
  ConflictError,
  ConnectionError,
  type CreateBooking,
  NotFoundError,
  RateLimitError,
  ServerError,
} from "../src/index.ts";
import { cut, cutShort, ready, ScriptedService, silence, soon } from "./support/scripted-service.ts";

const BOOKING: CreateBooking = { flightId: "f", cabin: "economy", passengers: [] };

describe("a request is sent again", () => {
  test.each([
    ["429", soon(429)],
    ["503", soon(503)],
    ["500", { status: 500, body: { statusCode: 500, message: "x" } }],
    ["502 of a proxy", { status: 502, body: "<html>" }],
    ["409 that says when", soon(409)],
    ["a cut connection", cut],
    ["an answer that breaks off", cutShort],
  ])("after %s, under the same key", async (_what, failure) => {
    const service = await ScriptedService.start(failure, ready({ id: "bkg_1" }));
    await expect(service.client().bookings.create(BOOKING)).resolves.toStrictEqual({ id: "bkg_1" });
    const keys = service.received.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(service.received[1]?.body).toBe(service.received[0]?.body);
  });

  test("and each call has a key of its own", async () => {
    const service = await ScriptedService.start(ready({}));
    const { bookings } = service.client();
    await bookings.update("bkg_1", {});
    await bookings.update("bkg_1", {});
    const [first, second] = service.received.map(({ headers }) => headers["idempotency-key"]);
    expect(first).not.toBe(second);
  });

  test("with the key the caller gave", async () => {
    const service = await ScriptedService.start(cut, ready({ status: "succeeded" }));
    await service.client().payments.create("bkg_1", { type: "card", token: "t" }, { idempotencyKey: "mine" });
    expect(service.received.map(({ headers }) => headers["idempotency-key"])).toStrictEqual(["mine", "mine"]);
  });

  test("no more often than it may be", async () => {
    const service = await ScriptedService.start(soon(503));
    const failed = service.client({ maxRetries: 2 }).flights.retrieve("f");
    await expect(failed).rejects.toBeInstanceOf(ServerError);
    expect(service.received).toHaveLength(3);
    await expect(service.client().flights.retrieve("f", { maxRetries: 0 })).rejects.toBeInstanceOf(ServerError);
    expect(service.received).toHaveLength(4);
  });

  test.each([400, 401, 403, 404, 409, 422])("not after %d", async (status) => {
    const service = await ScriptedService.start({ status, body: { statusCode: status, message: "no" } });
    await expect(service.client().bookings.create(BOOKING)).rejects.toMatchObject({ status });
    expect(service.received).toHaveLength(1);
  });

  test("not where the wait would pass the deadline", async () => {
    const later = { status: 429, headers: { "retry-after": "60" }, body: { statusCode: 429, message: "later" } };
    const service = await ScriptedService.start(later);
    const failed = service.client({ timeoutMs: 10_000 }).flights.retrieve("f");
    await expect(failed).rejects.toBeInstanceOf(RateLimitError);
    expect(service.received).toHaveLength(1);
  });
});

describe("a deletion", () => {
  test("whose answer was lost has happened where there is nothing any more", async () => {
    const gone = { status: 404, body: { statusCode: 404, message: "no" } };
    const service = await ScriptedService.start(cut, gone);
    await expect(service.client().passengers.delete("pax_1")).resolves.toBeUndefined();
    await expect(service.client().passengers.delete("pax_1")).rejects.toBeInstanceOf(NotFoundError);
  });

  test("that is refused is an error", async () => {
    const service = await ScriptedService.start({ status: 409, body: { statusCode: 409, message: "used" } });
    await expect(service.client().seatHolds.release("f", "h")).rejects.toBeInstanceOf(ConflictError);
  });
});

describe("a call ends", () => {
  test("at its deadline, with the key to ask again", async () => {
    const service = await ScriptedService.start(silence);
    const failed = service.client({ timeoutMs: 300_000 }).bookings.create(BOOKING, { timeoutMs: 200 });
    const error = await failed.then(undefined, (thrown: unknown) => thrown as ConnectionError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as ConnectionError).message).toBe("no answer within 200 ms");
    expect((error as ConnectionError).idempotencyKey).toBe(service.received[0]?.headers["idempotency-key"]);
  });

  test("with the reason of the caller's signal, under way or waiting", async () => {
    const later = { status: 503, headers: { "retry-after": "30" }, body: { statusCode: 503, message: "later" } };
    for (const answer of [silence, later]) {
      const service = await ScriptedService.start(answer);
      const stop = new AbortController();
      const reason = new Error("enough");
      const ended = service.client().flights.retrieve("f", { signal: stop.signal });
      while (service.received.length === 0) await new Promise((resolve) => setImmediate(resolve));
      stop.abort(reason);
      await expect(ended).rejects.toBe(reason);
    }
  });

  test("before it begins, where the signal says so", async () => {
    const service = await ScriptedService.start(ready({}));
    const signal = AbortSignal.abort(new Error("never"));
    await expect(service.client().flights.retrieve("f", { signal })).rejects.toThrow("never");
    expect(service.received).toStrictEqual([]);
  });
});

test("a redirect is not followed: it would carry the credential elsewhere", async () => {
  const elsewhere = await ScriptedService.start(ready({}));
  const service = await ScriptedService.start({ status: 302, headers: { location: elsewhere.baseUrl } });
  await expect(service.client().flights.retrieve("f")).rejects.toMatchObject({ status: 302 });
  expect(elsewhere.received).toStrictEqual([]);
});

test.each(["", ".", ".."])("the id %j is refused: it would lead to another path", async (id) => {
  const service = await ScriptedService.start(ready({}));
  await expect(service.client().bookings.retrieve(id)).rejects.toBeInstanceOf(TypeError);
  await service.client().bookings.retrieve("a/../b?c");
  expect(service.received.map(({ url }) => url)).toStrictEqual(["/v1/bookings/a%2F..%2Fb%3Fc"]);
});
