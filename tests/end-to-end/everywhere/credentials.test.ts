import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { Client, expectStatus } from "../kit/client.ts";
import { formOf, oauthClient, oauthErrorOf, requestToken } from "../kit/oauth.ts";
import { expectRefused } from "../kit/problems.ts";
import { openWorld, type World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld({ flights: [{ id: "F", departsIn: 60 }] });
});
afterAll(() => world.discard());

describe("an API key", () => {
  test("is good until it is revoked", async () => {
    const { apiKey, credentialId } = await world.service.newApiKey();
    const client = new Client(world.service.baseUrl, { apiKey });
    expect((await client.get("/v1/flights")).status).toBe(200);
    expect((await world.service.operator("DELETE", `/credentials/${credentialId}`)).status).toBe(200);
    expectRefused(await client.get("/v1/flights"), 401, "API key");
  });

  test("of a suspended account: 403 for everything, until it is resumed", async () => {
    const { accountId, apiKey } = await world.service.newApiKey();
    const oauth = await oauthClient(world, accountId);
    const { access_token: accessToken } = expectStatus(200, await requestToken(world, formOf(oauth)));
    const clients = [new Client(world.service.baseUrl, { apiKey }), new Client(world.service.baseUrl, { accessToken })];
    await world.service.operator("POST", `/accounts/${accountId}/suspend`);
    for (const client of clients) {
      expectRefused(await client.get("/v1/flights"), 403, "suspended");
      expectRefused(await client.book("F"), 403, "suspended");
      expectRefused(await client.get("/v1/nothing"), 403, "suspended");
    }
    expect(oauthErrorOf(await requestToken(world, formOf(oauth)))).toStrictEqual([401, "invalid_client"]);
    await world.service.operator("POST", `/accounts/${accountId}/resume`);
    for (const client of clients) expect((await client.get("/v1/flights")).status).toBe(200);
  });
});

test("an OAuth client that is revoked gets no token, and its tokens are refused", async () => {
  const client = await oauthClient(world, world.accountOf.alice);
  const { access_token: accessToken } = expectStatus(200, await requestToken(world, formOf(client)));
  const holder = new Client(world.service.baseUrl, { accessToken });
  expect((await holder.get("/v1/flights")).status).toBe(200);
  await world.service.operator("DELETE", `/credentials/${client.id}`);
  expect((await holder.get("/v1/flights")).status).toBe(401);
  expect(oauthErrorOf(await requestToken(world, formOf(client)))).toStrictEqual([401, "invalid_client"]);
});
