import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { randomNumbers } from "../../bench/data/random-numbers.ts";
import { Client } from "../../end-to-end/kit/client.ts";
import { ApiClient } from "../../support/api-client.ts";
import type { Account } from "../audit/audit.ts";
import type { Options } from "../options.ts";
import type { Target } from "../targets/target.ts";
import { PacedApi } from "./api.ts";
import { Chance } from "./chance.ts";
import { Customer } from "./customer.ts";
import { EVENT_TYPES, Listener } from "./receivers.ts";
import { openSale, type Sale } from "./sale.ts";
import type { Traffic } from "./traffic.ts";

const CUSTOMERS = 12;
/** Of them, from the first on, with a webhook endpoint of each kind. */
const WITH_ENDPOINTS = 2;
const POINTS = 10_000_000;
const PASSPORT = resolve(import.meta.dirname, "../../../docs/examples/passport.pdf");

/** Somebody who shops, and what is theirs. */
export interface Shopper extends Account {
  readonly customer: Customer;
}

export interface Shop {
  readonly sale: Sale;
  readonly shoppers: readonly Shopper[];
}

/** Flights to sell, and customers with an account of their own each. @param isDown whether receivers that are down for a while are. */
export async function openShop(
  target: Target,
  traffic: Traffic,
  { rate, minutes, seed }: Options,
  isDown: () => boolean,
): Promise<Shop> {
  const document = readFileSync(PASSPORT);
  const keys = await Promise.all(Array.from({ length: CUSTOMERS }, () => newAccount(target)));
  const sale = await openSale(target, rate * 60 * minutes);
  const shoppers: Shopper[] = [];
  for (const [index, apiKey] of keys.entries()) {
    const name = `customer${index}`;
    const random = randomNumbers(seed + 1 + index);
    const interval = (CUSTOMERS / rate) * 1_000;
    const api = new PacedApi({ api: new ApiClient(target.baseUrl, { apiKey }), traffic, interval, random, name });
    const operator: Target["operator"] = (method, path, body) => target.operator(method, path, body);
    const customer = new Customer({ name, api, operator, sale, traffic, chance: new Chance(random), document });
    const client = new Client(target.baseUrl, { apiKey });
    const listeners = index < WITH_ENDPOINTS ? await listen(client, isDown) : new Map<string, Listener>();
    shoppers.push({ name, apiKey, client, customer, acknowledged: customer.acknowledged, listeners });
  }
  return { sale, shoppers };
}

/** With points to spend; answers its key. */
export async function newAccount(target: Target): Promise<string> {
  const { accountId, apiKey } = await target.newApiKey();
  const gift = { accountId, points: POINTS, reason: "a gift" };
  const { status, body } = await target.operator("POST", "/loyalty/adjustments", gift);
  if (status !== 201) throw new Error(`no points were given: ${JSON.stringify(body)}`);
  return apiKey;
}

/** By the id of the endpoint. */
async function listen(client: Client, isDown: () => boolean): Promise<ReadonlyMap<string, Listener>> {
  const endpoints = new Map<string, Listener>();
  for (const listener of await Listener.startAll(isDown)) {
    const endpoint = { url: listener.url, events: EVENT_TYPES };
    const { body } = await client.post<{ id: string; secret: string }>("/v1/webhook-endpoints", endpoint);
    listener.secret = body.secret;
    endpoints.set(body.id, listener);
  }
  return endpoints;
}
