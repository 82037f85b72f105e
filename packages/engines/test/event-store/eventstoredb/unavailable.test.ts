import { expect, test } from "@jest/globals";
import { appendUnavailable, storeClosed, unavailable } from "../../../src/event-store/eventstoredb/errors.ts";
import { EventStoreUnavailable } from "../../../src/event-store/index.ts";

test.each([
  ["14 UNAVAILABLE: No connection established. Last error: Error: connect ECONNREFUSED 127.0.0.1:2113", false],
  ["14 UNAVAILABLE: Name resolution failed for target dns:nowhere:2113", false],
  ["14 UNAVAILABLE: Channel closed before call started", false],
  ["14 UNAVAILABLE: Server Is Not Ready", false],
  ["14 UNAVAILABLE: Server Is Too Busy", false],
  ["Server Is Busy", false],
  ["AccessDenied", false],
  ["16 UNAUTHENTICATED: who are you", false],
  ["7 PERMISSION_DENIED: Access Denied", false],
  ["14 UNAVAILABLE: Connection dropped", true],
  ["14 UNAVAILABLE: read ECONNRESET", true],
  ["13 INTERNAL: Received RST_STREAM with code 2", true],
  ["1 CANCELLED: Call cancelled", true],
  ["5 NOT_FOUND: Leader info available", true],
  ["Timeout", true],
  ["no answer within 3000 ms", true],
  ["anything else", true],
])("%s: the outcome of an append is unknown: %s", (reason, outcomeUnknown) => {
  const cause = new Error(reason);
  expect(appendUnavailable(cause)).toMatchObject({ outcomeUnknown, cause, message: expect.stringContaining(reason) });
});

test("a failed read has stored nothing, and tells what the client says, if only the kind of error", () => {
  expect(unavailable(new Error("gone"))).toMatchObject({
    outcomeUnknown: false,
    message: expect.stringMatching(/gone$/),
  });
  const silent = Object.assign(new Error(""), { type: "access-denied" });
  expect(unavailable(silent).message).toBe("EventStoreDB is out of reach: access-denied");
  expect(unavailable("odd").message).toBe("EventStoreDB is out of reach: odd");
  const known = storeClosed();
  expect(unavailable(known)).toBe(known);
  expect(known).toBeInstanceOf(EventStoreUnavailable);
});
