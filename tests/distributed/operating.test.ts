import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { openEventStoreDb } from "@travel-booking/engines/event-store/eventstoredb";
import { openMongo } from "@travel-booking/engines/mongodb";
import { PROJECTION_NAMES } from "@travel-booking/read-models";
import { describeWith, startEventStore, startMongo, startRedis } from "../engines/index.ts";
import type { Installation } from "../support/distributed/installation.ts";
import { needsProxy } from "../support/distributed/needs-proxy.ts";
import { serversAt } from "../support/distributed/servers.ts";
import { operatorCli, operatorJson } from "../support/operator-cli.ts";
import { appendPoisonEvent } from "../support/poison-event.ts";
import type { ProjectionStatus } from "../support/projection-status.ts";
import { ClientJourneys } from "./kit/journeys.ts";
import { openInstallation } from "./kit/open-installation.ts";
import { RetryingApi } from "./kit/retrying-api.ts";

describeWith(
  { eventStore: startEventStore, mongo: startMongo, redis: startRedis, proxy: needsProxy },
  "an operator of services that run apart",
  ({ eventStore, mongo, redis }) => {
    let installation: Installation;
    let apiKey: string;

    beforeAll(async () => {
      ({ installation, apiKey } = await openInstallation({
        servers: serversAt({ eventStore, mongo, redis }),
        instances: { projector: 2 },
        flights: [{ id: "OP-1", departsIn: 60, rows: [10, 109] }],
      }));
    });
    afterAll(() => installation.discard());

    const api = () => new RetryingApi(installation.baseUrl, { apiKey });
    const cli = (...line: readonly string[]) => operatorCli(installation.operatorEnvironment, ...line);
    const json = <Value>(...line: readonly string[]) => operatorJson<Value>(installation.operatorEnvironment, ...line);
    const list = () => json<readonly ProjectionStatus[]>("projection", "list");
    const statusOf = async (name: string) => (await list()).find((status) => status.name === name);

    test("sees position and lag of every projection", async () => {
      const statuses = await list();
      expect(statuses.map(({ name }) => name)).toStrictEqual(PROJECTION_NAMES);
      for (const status of statuses) {
        expect(status).toStrictEqual({ ...status, state: "live", lag: 0, error: null, failedAt: null, skipped: [] });
        expect(Number(status.position)).toBeGreaterThan(0);
      }
    });

    test("rebuilds every read model while traffic goes on; nobody sees less than before", async () => {
      const journeys = new ClientJourneys(installation.baseUrl, apiKey, ["OP-1"]);
      journeys.start(4);
      for (const name of PROJECTION_NAMES) {
        await journeys.waitForPayments(2);
        const { code, stdout, stderr } = await cli("projection", "rebuild", name, "--json");
        expect([code, stderr]).toStrictEqual([0, ""]);
        expect(JSON.parse(stdout)).toStrictEqual({ name, events: expect.any(Number), seconds: expect.any(Number) });
      }
      const { bookings, unexpectedResponses, repeated } = await journeys.stop();
      expect([unexpectedResponses, repeated]).toStrictEqual([[], 0]);
      for (const id of bookings.keys()) expect((await api().get(`/v1/bookings/${id}`)).status).toBe(200);
    });

    test("watches a rebuild by its position, rate and time left", async () => {
      const { body } = await installation.operator("POST", "/projections/bookings/rebuild");
      const lines = body as readonly { readonly progress?: Record<string, unknown>; readonly result?: unknown }[];
      expect(lines.at(-1)?.result).toStrictEqual({
        name: "bookings",
        events: expect.any(Number),
        seconds: expect.any(Number),
      });
      for (const { progress } of lines.slice(0, -1)) {
        expect(Object.keys(progress ?? {})).toStrictEqual(["position", "head", "rate", "secondsLeft"]);
      }
    });

    test("retries and skips an event that a projection can't handle", async () => {
      const log = openEventStoreDb(eventStore.url);
      await appendPoisonEvent(log);
      await log.close();
      for (const name of ["bookings", "obligations"]) {
        let status = await statusOf(name);
        while (status?.state !== "stopped") status = await statusOf(name);
        expect(status.error).toEqual(expect.stringContaining(name));
      }
      expect(await json("projection", "retry", "bookings")).toMatchObject({ state: "stopped" });
      for (const name of ["bookings", "obligations"]) {
        expect(await json("projection", "skip", name)).toMatchObject({ name, state: "live" });
      }
      // What was skipped stays skipped, whoever builds the read model.
      for (const projector of installation.of("projector")) {
        await projector.stop();
        projector.restart();
      }
      expect(await json("projection", "rebuild", "bookings")).toMatchObject({ name: "bookings" });
      expect(await statusOf("bookings")).toMatchObject({
        failedAt: null,
        skipped: [expect.stringMatching(/^booking-bkg_poison@\d+$/)],
      });
      const passengers = [{ name: "Ada Lovelace", email: "ada@example.com" }];
      const booked = await api().post<{ id: string }>("/v1/bookings", {
        flightId: "OP-1",
        cabin: "economy",
        passengers,
      });
      expect(booked.status).toBe(201);
      expect((await api().get(`/v1/bookings/${booked.body.id}`)).status).toBe(200);
      const { code, stderr } = await cli("projection", "skip", "bookings");
      expect([code, stderr]).toStrictEqual([1, "bookings is not stopped\n"]);
    });

    test("has projectors that are ready when there are read models that their release can read", async () => {
      const [projector] = installation.of("projector");
      if (projector === undefined) throw new Error("there is no projector");
      await Promise.all(installation.of("projector").map((one) => one.stop()));
      const connection = openMongo(mongo.url);
      const records = connection.db.collection<{ readonly _id: string; readonly live: number }>("projections");
      const { live } = (await records.findOne({ _id: "bookings" })) ?? {};
      const raiseVersion = (by: number) =>
        records.updateOne({ _id: "bookings" }, { $inc: { [`generations.${live}.version`]: by } });
      await raiseVersion(1_000);
      projector.restart();
      const answer = (url: string) => fetch(`${url}/health/ready`).catch(() => undefined);
      let answered = await answer(projector.url);
      while (answered === undefined) answered = await answer(projector.url);
      const { message } = (await answered.json()) as { readonly message: unknown };
      expect([answered.status, message]).toStrictEqual([503, ["starting"]]);
      const report = await answer(projector.operatorUrl);
      expect(await report?.json()).toStrictEqual({ missing: ["projection bookings is not ready"], details: {} });
      await raiseVersion(-1_000);
      await connection.close();
      for (const one of installation.of("projector")) {
        if (one !== projector) one.restart();
        await one.ready();
      }
    });

    test("is told that a backup is for the servers' own tools", async () => {
      const { code, stderr } = await cli("backup", "/nowhere");
      expect([code, stderr]).toStrictEqual([
        1,
        "backup copies embedded stores: a server is backed up with its own tools\n",
      ]);
    });

    test("ends every service with exit code 0", async () => {
      const ended = await Promise.all(installation.services.map((service) => service.stop()));
      expect(new Set(ended.map(({ code }) => code))).toStrictEqual(new Set([0]));
    });
  },
);
