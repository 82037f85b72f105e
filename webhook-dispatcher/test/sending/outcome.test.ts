import { describe, expect, test } from "@jest/globals";
import { explainFailure, outcomeOf, parseRetryAfter } from "../../src/sending/outcome.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

describe("a response", () => {
  test.each([200, 201, 202, 204, 299])("of %d is success", (status) => {
    expect(outcomeOf({ status, retryAfter: "9", excerpt: "" }, NOW)).toStrictEqual({
      ok: true,
      responseStatus: status,
    });
  });

  test.each([
    [199, false],
    [300, false],
    [400, false],
    [409, false],
    [410, true],
    [503, false],
  ])("of %d is failure", (status, gone) => {
    const outcome = outcomeOf({ status, retryAfter: undefined, excerpt: "no" }, NOW);
    expect(outcome).toMatchObject({ ok: false, responseStatus: status, gone, retryAfter: null, excerpt: "no" });
  });
});

test.each([
  ["120", 120_000],
  [" 7 ", 7_000],
  ["0", 0],
  ["Sat, 21 Nov 2026 12:00:30 GMT", 30_000],
  ["Sat, 21 Nov 2026 11:00:00 GMT", 0],
  ["2026-11-21T12:00:30Z", null],
  ["1e3", null],
  ["-1", null],
  ["12345678901", 12_345_678_901_000],
  ["9".repeat(400), Number.MAX_SAFE_INTEGER],
  ["soon", null],
  ["", null],
  [undefined, null],
])("Retry-After %j is %j ms", (text, milliseconds) => {
  expect(parseRetryAfter(text, NOW)).toBe(milliseconds);
});

test.each([
  [{ code: "ECONNREFUSED" }, "the endpoint refused the connection"],
  [{ code: "UND_ERR_SOCKET", cause: { code: "ECONNRESET" } }, "the endpoint closed the connection without an answer"],
  [{ code: "UND_ERR_SOCKET" }, "the endpoint closed the connection without an answer"],
  [{ code: "CERT_HAS_EXPIRED" }, "the endpoint's certificate is not valid (CERT_HAS_EXPIRED)"],
  [{ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }, "the endpoint's certificate is not valid (DEPTH_ZERO_SELF_SIGNED_CERT)"],
  [{ code: "ERR_TLS_CERT_ALTNAME_INVALID" }, "the endpoint's certificate is not valid (ERR_TLS_CERT_ALTNAME_INVALID)"],
  [{ code: "ERR_SSL_WRONG_VERSION_NUMBER" }, "no secure connection to the endpoint (ERR_SSL_WRONG_VERSION_NUMBER)"],
  [{ code: "EWHATEVER", message: "10.0.0.1 said no" }, "the endpoint could not be reached (EWHATEVER)"],
  [new Error("connect to 10.0.0.1"), "the endpoint could not be reached"],
  [undefined, "the endpoint could not be reached"],
])("%j is explained", (error, words) => {
  expect(explainFailure(error)).toBe(words);
});
