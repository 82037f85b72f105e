import { describe, expect, test } from "@jest/globals";
import { BadRequestError, type Event } from "../src/index.ts";
import { cut, ready, ScriptedService, soon } from "./support/scripted-service.ts";

const page = (ids: readonly string[], nextCursor: string | null = null) =>
  ready({ data: ids.map((id) => ({ id })), page: { nextCursor, hasMore: nextCursor !== null } });

describe("a list", () => {
  test("is iterated across its pages, with its filters", async () => {
    const service = await ScriptedService.start(page(["a", "b"], "c1"), page([], "c2"), page(["c"]));
    const ids: string[] = [];
    for await (const { id } of service.client().flights.list({ departsAfter: "2027-01-01", limit: 2 })) ids.push(id);
    expect(ids).toStrictEqual(["a", "b", "c"]);
    expect(service.received.map(({ url }) => url)).toStrictEqual([
      "/v1/flights?departsAfter=2027-01-01&limit=2",
      "/v1/flights?departsAfter=2027-01-01&limit=2&cursor=c1",
      "/v1/flights?departsAfter=2027-01-01&limit=2&cursor=c2",
    ]);
  });

  test("asks for no page that nobody wants", async () => {
    const service = await ScriptedService.start(page(["a", "b"], "c1"));
    for await (const _booking of service.client().bookings.list()) break;
    expect(service.received).toHaveLength(1);
  });

  test("has single pages, too, from any cursor on", async () => {
    const service = await ScriptedService.start(page(["c"], "c2"));
    const { data, page: info } = await service.client().bookings.list({ cursor: "c1" }).page();
    expect([data, info]).toStrictEqual([[{ id: "c" }], { nextCursor: "c2", hasMore: true }]);
    expect(service.received[0]?.url).toBe("/v1/bookings?cursor=c1");
  });
});

describe("following events", () => {
  test("goes on after the last one, across errors and cut connections", async () => {
    const service = await ScriptedService.start(
      page(["e1", "e2"]),
      cut,
      soon(503),
      soon(503),
      soon(503),
      soon(503),
      page([]),
      page(["e3"]),
    );
    const followed = service.client().events.follow({ after: "e0", type: "booking.changed", waitSeconds: 1 });
    const seen: [Event["id"], string | undefined][] = [];
    for await (const { id } of followed) {
      seen.push([id, followed.lastEventId]);
      if (id === "e3") break;
    }
    expect(seen).toStrictEqual([
      ["e1", "e1"],
      ["e2", "e2"],
      ["e3", "e3"],
    ]);
    const asked = service.received.map(({ url }) => new URLSearchParams(url.split("?")[1]));
    expect(asked.map((query) => query.get("after"))).toStrictEqual(["e0", ...Array<string>(7).fill("e2")]);
    expect(asked.every((query) => query.get("order") === "asc" && query.get("wait") === "1")).toBe(true);
    expect(asked.every((query) => query.get("type") === "booking.changed")).toBe(true);
  });

  test("goes on behind what was looked through without finding any", async () => {
    const service = await ScriptedService.start(page([], "c1"), page([]), page(["e1"], "c2"), page(["e2"]));
    const seen: string[] = [];
    for await (const { id } of service.client().events.follow({ after: "e0", bookingId: "bkg_1" })) {
      seen.push(id);
      if (id === "e2") break;
    }
    expect(seen).toStrictEqual(["e1", "e2"]);
    const asked = service.received.map(({ url }) => new URLSearchParams(url.split("?")[1]));
    expect(asked.map((query) => [query.get("after"), query.get("cursor")])).toStrictEqual([
      ["e0", null],
      ["e0", "c1"],
      ["e0", "c1"],
      ["e1", null],
    ]);
  });

  test("begins with the first event where none is named", async () => {
    const service = await ScriptedService.start(page(["e1"]));
    for await (const _event of service.client().events.follow()) break;
    expect(service.received[0]?.url).toBe("/v1/events?order=asc&wait=30&limit=100");
  });

  test("ends when its signal says so", async () => {
    const service = await ScriptedService.start(page(["e1"]), (response) => void response.once("close", () => {}));
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const { id } of service.client().events.follow({ signal: stop.signal })) {
      seen.push(id);
      setImmediate(() => stop.abort());
    }
    expect(seen).toStrictEqual(["e1"]);
  });

  test("fails where it can't get better", async () => {
    const service = await ScriptedService.start({ status: 400, body: { statusCode: 400, message: "no event" } });
    const next = service.client().events.follow({ after: "other" })[Symbol.asyncIterator]().next();
    await expect(next).rejects.toBeInstanceOf(BadRequestError);
  });
});
