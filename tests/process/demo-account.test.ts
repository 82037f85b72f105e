import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { demoCatalogue } from "@travel-booking/standalone/demo-catalogue";
import { type CallOperator, liveDemo } from "@travel-booking/standalone/demo-life";
import { ApiClient } from "../support/api-client.ts";
import type { IssuedKey } from "../support/operator-caller.ts";
import { Service } from "../support/service.ts";
import { temporaryFolders } from "../support/temporary-folders.ts";
import { until } from "../support/until.ts";

const folder = temporaryFolders();
let service: Service;
const { fetch } = globalThis;

afterEach(async () => {
  globalThis.fetch = fetch;
  await service.discard();
});

class Dead extends Error {}

/** Calls of a life that ends, as by a power cut, right after one that no life before has made: its answer is lost. */
class Interruptions {
  readonly made = new Set<string>();
  #isDead = false;

  begin(): void {
    this.#isDead = false;
  }

  async call<Answer>(step: string, ask: () => Promise<Answer>): Promise<Answer> {
    if (this.#isDead) throw new Dead();
    const answer = await ask();
    if (this.#isDead || !this.made.has(step)) {
      this.made.add(step);
      this.#isDead = true;
      throw new Dead();
    }
    return answer;
  }
}

/** The operator interface, over HTTP. */
const operator: CallOperator = async (path, body, { method = "POST", params = {} } = {}) =>
  (await service.operator(method, path.replace("/operator", "").replace(":id", params.id ?? ""), body)).body;

/** What the account has, whatever its ids are. */
async function whatHasCome({ accountId, apiKey }: IssuedKey) {
  const api = new ApiClient(service.baseUrl, { apiKey });
  const list = async <Item>(path: string) => (await api.get<{ data: readonly Item[] }>(path)).body.data;
  const bookings = await list<{ id: string; reference: string; status: string }>("/v1/bookings?limit=100");
  const lives = bookings.map(async ({ id, reference, status }) => {
    const history = await list<{ type: string }>(`/v1/bookings/${id}/history`);
    const documents = await list(`/v1/bookings/${id}/documents`);
    return [reference, status, documents.length, ...history.map(({ type }) => type)].join(" ");
  });
  const { data } = (await service.operator("GET", "/credentials")).body as {
    readonly data: readonly { readonly accountId: string; readonly status: string }[];
  };
  return {
    bookings: (await Promise.all(lives)).toSorted(),
    passengers: (await list("/v1/passengers?limit=100")).length,
    endpoints: (await list("/v1/webhook-endpoints")).length,
    transactions: (await list<{ points: number }>("/v1/loyalty/transactions")).map(({ points }) => points),
    activeKeys: data.filter((key) => key.accountId === accountId && key.status === "active").length,
  };
}

test("a life of the demo account that is interrupted after every step of it comes to the same as one that is not", async () => {
  service = await Service.start({ env: { RATE_LIMIT_PER_MINUTE: "0" } });
  expect((await service.operator("POST", "/catalogue", demoCatalogue(Date.now()))).status).toBe(200);
  const interrupted = await service.newApiKey();
  const interruptions = new Interruptions();
  const { baseUrl } = service;
  const { signal } = new AbortController();
  const state = new InMemoryStateStore();
  const lifeOf = ({ accountId, apiKey }: IssuedKey, call: CallOperator, state: InMemoryStateStore) =>
    liveDemo({ demo: { accountId, apiKey, clientId: "", clientSecret: "" }, baseUrl, operator: call, state, signal });
  const interruptedOperator: CallOperator = (path, body, options) =>
    interruptions.call(`${options?.method} ${path}`, () => operator(path, body, options));
  let lives = 0;
  for (let isOver = false; !isOver; lives += 1) {
    interruptions.begin();
    globalThis.fetch = (url, options) => {
      if (!String(url).startsWith(`${baseUrl}/v1`)) return fetch(url, options);
      const body = typeof options?.body === "string" ? options.body : "";
      const step = `${options?.method} ${url} ${/"DEMO-\d+"/.exec(body) ?? body}`;
      return interruptions.call(step, () => fetch(url, options));
    };
    isOver = await lifeOf(interrupted, interruptedOperator, state).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof Dead)) throw error;
        return false;
      },
    );
    globalThis.fetch = fetch;
  }
  expect(lives).toBe(interruptions.made.size + 1);
  expect(lives).toBeGreaterThan(100);
  const whole = await service.newApiKey();
  await lifeOf(whole, operator, new InMemoryStateStore());
  expect(await whatHasCome(interrupted)).toStrictEqual(await whatHasCome(whole));
  expect((await whatHasCome(whole)).activeKeys).toBe(1);
});

test("the demo account lives, so that every list has something to look at, and lives once, stopped in the middle of it or not", async () => {
  const dataDir = folder();
  const env = { RATE_LIMIT_PER_MINUTE: "0", LOG_LEVEL: "warn" };
  service = await Service.start({ dataDir, env: { ...env, DEMO: "true" } });
  const { apiKey } = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8"));
  expect(apiKey).toMatch(/^tbs_test_/);
  const lived = async (of: Service) => {
    const api = new ApiClient(of.baseUrl, { apiKey });
    const { data } = (await api.get<{ data: { status: string }[] }>("/v1/bookings?limit=100")).body;
    const count = (status: string) => data.filter((booking) => booking.status === status).length;
    const rows = async (path: string) =>
      ((await of.operator("GET", path)).body as { data: { status: string }[] }).data.map(({ status }) => status);
    return {
      bookings: [count("pending"), count("confirmed"), count("cancelled")],
      points: (await api.get<{ pointsBalance: number }>("/v1/loyalty/account")).body.pointsBalance,
      documents: (await rows("/documents")).length,
      activeKeys: (await rows("/credentials")).filter((status) => status === "active").length,
    };
  };
  const goOn = async () => {
    service = await Service.start({ dataDir, env: { ...env, DEMO: "" } });
  };
  await until(async () => (await lived(service)).bookings[2] !== 0);
  expect(await service.stop()).toMatchObject({ code: 0, stderr: "" });
  await goOn();
  const whole = { bookings: [15, 15, 10], points: 55_000, documents: 1, activeKeys: 2 };
  await until(async () => JSON.stringify(await lived(service)) === JSON.stringify(whole));
  expect(await service.stop()).toMatchObject({ code: 0 });
  await goOn();
  expect(await lived(service)).toStrictEqual(whole);
  await service.stop();
});
