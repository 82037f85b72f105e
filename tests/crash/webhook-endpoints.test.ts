import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { NewWebhookEndpointBody, WebhookEndpointBody } from "@travel-booking/api-contract";
import type { ApiClient } from "../support/api-client.ts";
import { CrashableService } from "./support/crashable-service.ts";

const PATH = "/v1/webhook-endpoints";
const BODY = { url: "https://8.8.8.8/events", events: ["payment.failed"] };

describe("killed between two steps of a webhook endpoint's life", () => {
  let mortal: CrashableService;
  beforeAll(async () => {
    mortal = await CrashableService.start();
  });
  afterAll(() => mortal.discard());

  const api = () => mortal.api;
  const create = (client: ApiClient, key: string) =>
    client.post<NewWebhookEndpointBody>(PATH, BODY, { "Idempotency-Key": key });
  const listed = async () =>
    (await api().get<{ readonly data: readonly WebhookEndpointBody[] }>(PATH)).body.data.map(({ id }) => id);

  test.each(["endpoint:secret", "endpoint:registered"])(
    "create, at %s: the same request again makes it, once",
    async (point) => {
      const before = await listed();
      await mortal.crashDuring(point, (client) => create(client, point));
      const again = await create(api(), point);
      expect(again.status).toBe(201);
      expect(await listed()).toStrictEqual([again.body.id, ...before]);
      expect((await create(api(), point)).body).toStrictEqual(again.body);
    },
  );

  test("delete, at endpoint:deleted: it is gone", async () => {
    const { id } = (await create(api(), "to be deleted")).body;
    const remove = (client: ApiClient) => client.call("DELETE", `${PATH}/${id}`);
    await mortal.crashDuring("endpoint:deleted", remove);
    expect(await listed()).not.toContain(id);
    expect((await remove(api())).status).toBe(404);
  });
});
