import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { operatorCli, operatorJson } from "../support/operator-cli.ts";
import { appendPoisonEventsTo } from "../support/poison-event.ts";
import type { ProjectionStatus } from "../support/projection-status.ts";
import { Service } from "../support/service.ts";

const ENV = { QUOTA_UNPAID_SEATS_PERCENT: "100", RATE_LIMIT_PER_MINUTE: "0", LOG_LEVEL: "warn" };
const PROJECTIONS = [
  "accounts",
  "bookings",
  "destinations",
  "flights",
  "loyalty",
  "obligations",
  "passengers",
  "webhooks",
];
/** What is told of the event that `appendPoisonEventsTo` appends. */
const POISON = expect.stringMatching(/^booking-bkg_poison@\d+$/);
const FLIGHT = "PR-1";
const CAPACITY = 600;

describe("projections", () => {
  let service: Service;
  let apiKey: string;

  beforeAll(async () => {
    service = await Service.start({ env: ENV });
    await importFlights(service, [{ id: FLIGHT, departsIn: 60, rows: [10, 109] }]);
    apiKey = (await service.newApiKey()).apiKey;
  });
  afterAll(() => service.discard());

  const api = () => new ApiClient(service.baseUrl, { apiKey });
  const cli = <Value>(...line: readonly string[]) => operatorJson<Value>({ DATA_DIR: service.dataDir }, ...line);
  const list = async () =>
    (await cli<readonly ProjectionStatus[]>("projection", "list")).toSorted((a, b) => (a.name < b.name ? -1 : 1));

  async function book(): Promise<{ readonly id: string; readonly status: number }> {
    const passengers = [{ name: "Ada Lovelace", email: "ada@example.com" }];
    const answer = await api().post<{ id: string }>("/v1/bookings", { flightId: FLIGHT, cabin: "economy", passengers });
    return { id: answer.body.id, status: answer.status };
  }

  async function metrics(): Promise<ReadonlyMap<string, number>> {
    const text = await (await fetch(service.metricsUrl)).text();
    const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    return new Map(
      samples.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
    );
  }

  test("are all live, and level with the log", async () => {
    await book();
    const statuses = await list();
    expect(statuses.map(({ name }) => name)).toStrictEqual(PROJECTIONS);
    for (const status of statuses) {
      expect(status).toStrictEqual({ ...status, state: "live", lag: 0, error: null, failedAt: null, skipped: [] });
    }
    const measured = await metrics();
    const head = measured.get("event_log_position");
    expect(head).toBeGreaterThan(0);
    for (const { name, position } of statuses) {
      expect(position).toBe(String(head));
      expect(measured.get(`projection_position{projection="${name}"}`)).toBe(head);
      expect(measured.get(`projection_lag{projection="${name}"}`)).toBe(0);
      expect(measured.get(`projection_state{projection="${name}",state="live"}`)).toBe(1);
      expect(measured.get(`projection_state{projection="${name}",state="stopped"}`)).toBe(0);
    }
    expect(measured.get("obligations_due")).toBe(0);
    const before = measured.get("commands_total") ?? 0;
    expect(before).toBeGreaterThan(0);
    const HOLDS = 'domain_events_total{type="SeatsHeld"}';
    const holds = measured.get(HOLDS) ?? Number.NaN;
    expect(measured.get('domain_events_total{type="BookingCreated"}')).toBeGreaterThan(0);
    expect(measured.get('domain_events_total{type="PaymentFailed"}')).toBe(0);
    await api().post(`/v1/flights/${FLIGHT}/seat-holds`, { seats: ["10A"] });
    // One answer serves all who ask within a second.
    let after: ReadonlyMap<string, number>;
    do after = await metrics();
    while (after.get("commands_total") === before);
    expect(after.get("commands_total")).toBe(before + 1);
    expect(after.get(HOLDS)).toBe(holds + 1);
  });

  test("are rebuilt while traffic goes on, and no read ever shows less than before", async () => {
    const problems: unknown[] = [];
    let going = true;
    let booked = 0;
    const writer = async () => {
      while (going) {
        const { id, status } = await book();
        if (status !== 201) problems.push({ status });
        booked += 1;
        const read = await api().get(`/v1/bookings/${id}`);
        if (read.status !== 200) problems.push({ id, status: read.status });
      }
    };
    const reader = async () => {
      let fewest = Number.POSITIVE_INFINITY;
      let oldest: string | undefined;
      while (going) {
        const flight = await api().get<{ fares?: { cabin: string; seatsLeft: number }[] }>(`/v1/flights/${FLIGHT}`);
        const left = flight.body.fares?.find(({ cabin }) => cabin === "economy")?.seatsLeft;
        if (left === undefined || left > fewest) problems.push({ fewest, left, status: flight.status });
        else fewest = left;
        const bookings = await api().get<{ data?: { id: string }[] }>("/v1/bookings?limit=100");
        const ids = bookings.body.data?.map(({ id }) => id) ?? [];
        if (oldest !== undefined && ids.length < 100 && !ids.includes(oldest))
          problems.push({ oldest, status: bookings.status });
        oldest = ids.at(-1);
        if ((await api().get("/v1/destinations/kepler-442b")).status !== 200) problems.push("no destination");
      }
    };
    const traffic = [writer(), writer(), reader(), reader()];
    for (const name of PROJECTIONS) {
      const result = await cli<Record<string, unknown>>("projection", "rebuild", name);
      expect(result).toStrictEqual({ name, events: expect.any(Number), seconds: expect.any(Number) });
      expect(result.events).toBeGreaterThan(0);
    }
    going = false;
    await Promise.all(traffic);
    expect(problems).toStrictEqual([]);
    expect(booked).toBeGreaterThan(0);
    expect(new Set((await list()).map(({ state }) => state))).toStrictEqual(new Set(["live"]));
    const { code, stderr } = await operatorCli({ DATA_DIR: service.dataDir }, "projection", "rebuild", "none");
    expect([code, stderr]).toStrictEqual([1, "there is no projection none\n"]);
  });

  test("stop at an event they can't handle; the service starts and the others go on; it is retried, then skipped for good", async () => {
    const { id: before } = await book();
    expect((await service.stop()).code).toBe(0);
    await appendPoisonEventsTo(service.dataDir);
    service = await Service.start({ dataDir: service.dataDir, env: ENV });
    const bookings = async () => (await list()).find(({ name }) => name === "bookings");
    expect(await bookings()).toMatchObject({
      state: "stopped",
      error: expect.stringContaining("bookings"),
      failedAt: POISON,
      skipped: [],
    });
    const others = (await list()).filter(({ name, state }) => name !== "bookings" && state === "live");
    expect(others.map(({ name }) => name)).toEqual(expect.arrayContaining(["accounts", "destinations", "flights"]));
    expect((await metrics()).get('projection_state{projection="bookings",state="stopped"}')).toBe(1);
    expect(service.stderr).toContain('"projection":"bookings"');

    const stopped = (await list()).filter(({ state }) => state === "stopped").map(({ name }) => name);
    const { details, due } = await cli<{ details: { projections: string }; due: object | null }>("summary");
    const told = String(details.projections.split(" (")[0]);
    const [what, ...names] = told.split(/: |, /);
    expect([what, names.sort()]).toStrictEqual(["stopped at an event", stopped.sort()]);
    expect(due === null).toBe(stopped.includes("obligations"));
    const health = async (url: string) => (await fetch(`${url}/health/ready`)).text();
    expect(await health(service.operatorUrl)).toContain(told);
    expect(await health(service.baseUrl)).toBe('{"status":"ready"}');

    expect((await api().get(`/v1/bookings/${before}`)).status).toBe(200);
    const { id, status } = await book();
    expect(status).toBe(201);
    // Operators' commands are in force without it.
    expect((await service.newApiKey()).apiKey).toMatch(/^tbs_/);
    expect(await cli("projection", "retry", "bookings")).toMatchObject({ name: "bookings", state: "stopped" });
    for (const name of ["bookings", "obligations"]) {
      const { state } = (await list()).find((one) => one.name === name) ?? {};
      if (state === "stopped")
        expect(await cli("projection", "skip", name)).toMatchObject({
          name,
          state: "live",
          error: null,
          failedAt: null,
          skipped: [POISON],
        });
    }
    expect((await api().get(`/v1/bookings/${id}`)).status).toBe(200);
    const { code, stderr } = await operatorCli({ DATA_DIR: service.dataDir }, "projection", "skip", "bookings");
    expect([code, stderr]).toStrictEqual([1, "bookings is not stopped\n"]);

    // What was skipped stays skipped, also where all read models are built anew.
    expect((await service.stop()).code).toBe(0);
    service = await Service.start({ dataDir: service.dataDir, env: ENV });
    expect(await bookings()).toMatchObject({ state: "live", lag: 0, skipped: [POISON] });
    expect(await cli("projection", "rebuild", "bookings")).toMatchObject({ name: "bookings" });
    expect((await service.stop()).code).toBe(0);
    rmSync(join(service.dataDir, "read"), { recursive: true });
    service = await Service.start({ dataDir: service.dataDir, env: ENV });
    expect(await bookings()).toMatchObject({ state: "live", lag: 0, failedAt: null, skipped: [POISON] });
    expect((await api().get(`/v1/bookings/${id}`)).status).toBe(200);
    const flight = await api().get<{ fares: { cabin: string; seatsLeft: number }[] }>(`/v1/flights/${FLIGHT}`);
    expect(flight.body.fares.find(({ cabin }) => cabin === "economy")?.seatsLeft).toBeLessThan(CAPACITY);
  });
});
