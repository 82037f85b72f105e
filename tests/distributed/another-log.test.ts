import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { NO_STREAM } from "@travel-booking/engines/event-store";
import { anEvent } from "@travel-booking/engines/event-store/contract";
import { openEventStoreDb } from "@travel-booking/engines/event-store/eventstoredb";
import { PROJECTION_NAMES } from "@travel-booking/read-models";
import { type EventStoreDouble, startEventStoreDouble } from "../engines/eventstoredb/index.ts";
import { describeWith, startMongo, startRedis } from "../engines/index.ts";
import type { Installation } from "../support/distributed/installation.ts";
import { needsProxy } from "../support/distributed/needs-proxy.ts";
import { serversAt } from "../support/distributed/servers.ts";
import type { ServiceName, ServiceProcess } from "../support/distributed/service-process.ts";
import { operatorCli } from "../support/operator-cli.ts";
import type { ProjectionStatus } from "../support/projection-status.ts";
import { until } from "../support/until.ts";
import { openInstallation } from "./kit/open-installation.ts";
import { RetryingApi } from "./kit/retrying-api.ts";

const PASSENGERS = [{ name: "Ada Lovelace", email: "ada@example.com" }];
const ANOTHER_LOG =
  /^the event log is not the one that was read before: it lacks event \S+ at position \d+\. Put the right log back, or have all read models built anew from this one: operator projection rebuild --all$/;
/** More events than the log of these tests has. */
const MANY = 300;

const SAID = "the event log is not the one that was read before";
/** Those that use the log. */
const READ_LOG = ["command-service", "projector"] as const;

interface Booking {
  readonly id: string;
}

describeWith(
  { mongo: startMongo, redis: startRedis, proxy: needsProxy },
  "another log under running services",
  ({ mongo, redis }) => {
    const copies = mkdtempSync(join(tmpdir(), "travel-booking-logs-"));
    let eventStore: EventStoreDouble;
    let installation: Installation;
    let api: RetryingApi;
    let early: Booking;
    let late: Booking;
    /** Copies of logs: `older` lacks the late booking. */
    let older: string;
    let right: string;
    let longer: string;

    beforeAll(async () => {
      [older, right] = [join(copies, "older"), join(copies, "right")];
      eventStore = await startEventStoreDouble();
      longer = await longerLog(join(copies, "longer"));
      const opened = await openInstallation({
        servers: serversAt({ eventStore, mongo, redis }),
        flights: [{ id: "AL-1", departsIn: 60 }],
      });
      installation = opened.installation;
      api = new RetryingApi(installation.baseUrl, { apiKey: opened.apiKey });
      early = await book();
      await eventStore.kill();
      cpSync(eventStore.dataDir, older, { recursive: true });
      await eventStore.restart();
      await untilReady();
      late = await book();
      expect((await api.get(`/v1/bookings/${late.id}`)).status).toBe(200);
      await allSeen();
    });
    afterAll(async () => {
      await installation?.discard();
      await eventStore?.stop();
      rmSync(copies, { recursive: true });
    });

    /** A log of another history. */
    async function longerLog(to: string): Promise<string> {
      const other = await startEventStoreDouble();
      const log = openEventStoreDb(other.url, { appendTimeoutMs: 60_000 });
      const events = Array.from({ length: MANY }, () => anEvent());
      await log.append("booking-of-somebody-else", NO_STREAM, events);
      await log.close();
      await other.kill();
      cpSync(other.dataDir, to, { recursive: true });
      await other.stop();
      return to;
    }

    const request = () =>
      api.post<Booking>("/v1/bookings", { flightId: "AL-1", cabin: "economy", passengers: PASSENGERS });

    async function book(): Promise<Booking> {
      const answer = await request();
      expect(answer.status).toBe(201);
      return answer.body;
    }

    /** Undefined: an empty one. Keeps the log there was as `right`. */
    async function putLog(from: string | undefined): Promise<void> {
      await eventStore.kill();
      rmSync(right, { recursive: true, force: true });
      cpSync(eventStore.dataDir, right, { recursive: true });
      await replaceLog(from);
    }

    async function replaceLog(from: string | undefined): Promise<void> {
      await eventStore.kill();
      for (const file of readdirSync(eventStore.dataDir)) rmSync(join(eventStore.dataDir, file), { recursive: true });
      if (from !== undefined) cpSync(from, eventStore.dataDir, { recursive: true });
      await eventStore.restart();
    }

    async function readiness(service: ServiceProcess): Promise<readonly string[]> {
      const answer = await fetch(`${service.operatorUrl}/health/ready`);
      return ((await answer.json()) as { readonly missing: readonly string[] }).missing;
    }

    const of = (name: ServiceName) => installation.of(name)[0] as ServiceProcess;

    async function untilReady(): Promise<void> {
      for (const name of READ_LOG) await of(name).ready();
    }

    /** Both notice it, say so once, and nothing is written. */
    async function expectRefused(): Promise<void> {
      for (const name of READ_LOG) {
        await until(async () => (await readiness(of(name))).some((line) => ANOTHER_LOG.test(line)));
      }
      const log = openEventStoreDb(eventStore.url);
      const head = await log.head();
      const refused = await request();
      expect([refused.status, refused.headers.get("retry-after")]).toStrictEqual([503, "30"]);
      expect(await log.head()).toBe(head);
      await log.close();
      await until(async () => (await list()).every(({ state }) => state === "stopped"));
    }

    /** How often the command-service and the projector have said it. */
    const timesTold = () =>
      READ_LOG.map(
        (name) =>
          of(name)
            .stderr.split("\n")
            .filter((line) => line.includes(SAID)).length,
      );

    const list = async () => {
      const { body } = await installation.operator("GET", "/projections");
      return (body as { readonly data: readonly ProjectionStatus[] }).data;
    };

    /** A projection that has not seen what is missing from another log goes on with it. */
    const allSeen = () => until(async () => (await list()).every(({ lag }) => lag === 0));

    async function expectGoingOn(): Promise<void> {
      await untilReady();
      expect((await api.get(`/v1/bookings/${late.id}`)).status).toBe(200);
      const { id } = await book();
      expect((await api.get(`/v1/bookings/${id}`)).status).toBe(200);
      expect((await list()).map(({ state }) => state)).toStrictEqual(PROJECTION_NAMES.map(() => "live"));
      await allSeen();
    }

    test.each<[string, () => string | undefined]>([
      ["an older copy", () => older],
      ["an empty log", () => undefined],
      ["a longer log of another history", () => longer],
    ])("%s is noticed and not written to; with the right log back all goes on by itself", async (_, log) => {
      const told = timesTold();
      await putLog(log());
      await expectRefused();
      expect(timesTold()).toStrictEqual(told.map((times) => times + 1));
      await replaceLog(right);
      await expectGoingOn();
    });

    test("an older copy at the start: told, not ready, and with the right log back all goes on", async () => {
      const services = READ_LOG.map(of);
      await Promise.all(services.map((service) => service.stop()));
      await putLog(older);
      for (const service of services) service.restart();
      for (const service of services) {
        await until(() =>
          fetch(`${service.url}/health/ready`).then(
            () => true,
            () => false,
          ),
        );
      }
      await expectRefused();
      await replaceLog(right);
      await expectGoingOn();
    });

    test("an operator takes the older copy: all is built anew from it, and goes on", async () => {
      const lost = late;
      await putLog(older);
      await expectRefused();
      const { code, stdout, stderr } = await operatorCli(
        installation.operatorEnvironment,
        "projection",
        "rebuild",
        "--all",
        "--json",
      );
      expect([code, stderr]).toStrictEqual([0, ""]);
      expect((JSON.parse(stdout) as readonly { name: string }[]).map(({ name }) => name)).toStrictEqual(
        PROJECTION_NAMES,
      );
      await untilReady();
      expect((await api.get(`/v1/bookings/${early.id}`)).status).toBe(200);
      await until(async () => (await api.get(`/v1/bookings/${lost.id}`)).status === 404);
      late = await book();
      expect((await api.get(`/v1/bookings/${late.id}`)).status).toBe(200);
      await expectGoingOn();
    });
  },
);
