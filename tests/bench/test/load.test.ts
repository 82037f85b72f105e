import { describe, expect, test } from "@jest/globals";
import { Latencies } from "../load/latencies.ts";
import { requestsOf } from "../load/requests.ts";
import { ResponseReader } from "../load/response-reader.ts";
import { Run } from "../load/run.ts";

const ANSWER = Buffer.from("HTTP/1.1 201 Created\r\nX-A: b\r\ncontent-length: 5\r\n\r\nhello");

describe("reading answers", () => {
  test.each([1, 7, ANSWER.length])("whole from pieces of %i bytes, one after another", (size) => {
    const reader = new ResponseReader();
    for (let round = 0; round < 2; round += 1) {
      const seen = [];
      for (let at = 0; at < ANSWER.length; at += size) {
        const answer = reader.push(ANSWER.subarray(at, at + size));
        if (answer !== undefined) seen.push({ status: answer.status, body: answer.body.toString() });
      }
      expect(seen).toStrictEqual([{ status: 201, body: "hello" }]);
    }
  });

  test("an empty answer needs no length, any other does", () => {
    expect(new ResponseReader().push(Buffer.from("HTTP/1.1 204 No Content\r\n\r\n"))?.status).toBe(204);
    expect(() => new ResponseReader().push(Buffer.from("HTTP/1.1 200 OK\r\n\r\n"))).toThrow("without Content-Length");
  });

  test("more than was asked for is an error", () => {
    expect(() => new ResponseReader().push(Buffer.concat([ANSWER, ANSWER]))).toThrow("bytes behind the answer");
  });
});

describe("requests", () => {
  const all = (job: Parameters<typeof requestsOf>[0]): string[] => {
    const next = requestsOf(job);
    const seen: string[] = [];
    for (let request = next(); request !== undefined && seen.length < 20; request = next())
      seen.push(request.toString());
    return seen;
  };
  const flights = [
    { flightId: "a", columns: "AB", rows: 1 },
    { flightId: "b", columns: "AB", rows: 1 },
  ];
  const seatsAsked = (order: "spread" | "flight-by-flight") =>
    all({ port: 1, source: { kind: "holds", flights, order, headers: {} } }).map((text) =>
      text.replace(/^POST \/v1\/flights\/(.).*\["(.*)"\].*$/s, "$1 $2"),
    );

  test("each seat is asked for once, flight by flight or spread", () => {
    expect(seatsAsked("flight-by-flight")).toStrictEqual(["a 1A", "a 1B", "b 1A", "b 1B"]);
    expect(seatsAsked("spread")).toStrictEqual(["a 1A", "b 1A", "a 1B", "b 1B"]);
  });

  test("a cycle repeats each of its messages, up to the limit", () => {
    const messages = ["/a", "/b"].map((path) => ({
      method: "POST" as const,
      path,
      headers: { "x-k": "v" },
      body: "é",
    }));
    const sent = all({ port: 80, source: { kind: "cycle", messages, repeat: 2 }, limit: 5 });
    expect(sent.map((text) => text.slice(5, 7))).toStrictEqual(["/a", "/a", "/b", "/b", "/a"]);
    expect(sent[0]).toBe(
      "POST /a HTTP/1.1\r\nHost: 127.0.0.1:80\r\nConnection: keep-alive\r\nx-k: v\r\n" +
        "Content-Type: application/json\r\nContent-Length: 2\r\n\r\né",
    );
  });
});

describe("a run", () => {
  test("fails on the first status it did not expect", async () => {
    const run = new Run(() => undefined, { expectedStatus: 201, toleratedStatus: 503 });
    run.record({ status: 201, body: Buffer.alloc(0) }, 1, 0);
    run.record({ status: 503, body: Buffer.alloc(0) }, 1, 0);
    run.throwIfFailed();
    run.record({ status: 409, body: Buffer.from("taken") }, 1, 1);
    await expect(run.failed).rejects.toThrow("status 409 instead of 201: taken");
  });

  test("reports rate, statuses and exact percentiles", () => {
    const run = new Run(() => undefined, { expectedStatus: 200 });
    for (let value = 100; value >= 1; value -= 1) run.record({ status: 200, body: Buffer.alloc(0) }, value, 0);
    expect(run.report(2, 0.5)).toStrictEqual({
      requests: 100,
      seconds: 2,
      perSecond: 50,
      statuses: { 200: 100 },
      latency: { p50: 50, p90: 90, p99: 99, max: 100 },
      tolerated: { p50: 0, p90: 0, p99: 0, max: 0 },
      withinSecond: 100,
      generatorLoad: 0.5,
      ids: [],
    });
  });

  test("latencies grow without a bound", () => {
    const latencies = new Latencies();
    for (let count = 0; count < 70_000; count += 1) latencies.add(count);
    expect(latencies.summary().max).toBe(69_999);
  });
});
