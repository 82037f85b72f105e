import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ApiClient } from "../support/api-client.ts";
import { newDataDir, Service } from "../support/service.ts";
import { answerOf, ENV, type Kept } from "./answers.ts";

const RELEASES = path.join(import.meta.dirname, "releases");

/** A data folder of each release, as that left it, with what it answered: see `record.ts`. */
describe.each(fs.readdirSync(RELEASES))("the data folder that %s has kept", (file) => {
  let kept: Kept;
  let service: Service;
  beforeAll(async () => {
    const dataDir = newDataDir();
    execFileSync("tar", ["-xzf", path.join(RELEASES, file), "-C", dataDir, "--no-same-owner"]);
    kept = JSON.parse(fs.readFileSync(path.join(dataDir, "kept.json"), "utf8")) as Kept;
    // As if it was stopped a moment ago: nothing has fallen due since.
    const clockAheadSeconds = Math.ceil((kept.stoppedAt - Date.now()) / 1_000);
    service = await Service.start({ dataDir, env: ENV, simulated: { clockAheadSeconds } });
  });
  afterAll(() => service.discard());

  test("is answered from as before", async () => {
    const headers = { "x-api-key": kept.apiKey };
    const now = await Promise.all(kept.answers.map(({ path: at }) => answerOf(service.baseUrl, at, headers)));
    expect(now).toStrictEqual(kept.answers);
  });

  test("shows operators the same", async () => {
    const token = fs.readFileSync(path.join(service.dataDir, "operator-token"), "utf8").trim();
    const headers = { authorization: `Bearer ${token}` };
    const now = await Promise.all(
      kept.operatorAnswers.map(({ path: at }) => answerOf(service.operatorUrl, at, headers)),
    );
    expect(now).toStrictEqual(kept.operatorAnswers);
  });

  test("answers what is repeated under its Idempotency-Key as it did", async () => {
    for (const { path: at, key, body, status, text } of kept.repeated) {
      const response = await fetch(`${service.baseUrl}${at}`, {
        method: "POST",
        headers: { "x-api-key": kept.apiKey, "content-type": "application/json", "idempotency-key": key },
        body: JSON.stringify(body),
      });
      expect([response.status, await response.text()]).toStrictEqual([status, text]);
      expect(response.headers.get("idempotent-replayed")).toBe("true");
    }
  });

  test("finds bookings by their words", async () => {
    interface Booking {
      readonly reference?: string;
      readonly passengers: readonly { readonly email: string }[];
    }
    const api = new ApiClient(service.baseUrl, { apiKey: kept.apiKey });
    const list = async (query: string) => (await api.get<{ data: Booking[] }>(`/v1/bookings?${query}`)).body.data;
    const all = await list("limit=100");
    const ofAda = all.filter(({ passengers }) => passengers.some(({ email }) => email === "ada@example.com"));
    expect(ofAda.length).toBeGreaterThan(1);
    expect(await list("email=ADA@example.com")).toStrictEqual(ofAda);
    const changed = all.filter(({ reference }) => reference === "UP-CHANGED");
    expect(changed).toHaveLength(1);
    expect(await list("reference=UP-CHANGED")).toStrictEqual(changed);
  });

  test("takes what is new", async () => {
    const api = new ApiClient(service.baseUrl, { apiKey: kept.apiKey });
    const passengers = [{ name: "Mary Somerville", email: "mary@example.com" }];
    const booked = await api.post<{ id: string }>("/v1/bookings", { flightId: "UP-1", cabin: "business", passengers });
    expect(booked.status).toBe(201);
    const paid = await api.post<{ status: string }>(
      `/v1/bookings/${booked.body.id}/payments`,
      { type: "card", token: "tok_visa" },
      { "idempotency-key": "after-the-upgrade" },
    );
    expect([paid.status, paid.body.status]).toStrictEqual([201, "succeeded"]);
    expect((await api.get<{ status: string }>(`/v1/bookings/${booked.body.id}`)).body.status).toBe("confirmed");
  });
});
