import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { NewWebhookEndpointBody, WebhookEndpointBody } from "@travel-booking/api-contract";
import type { Api } from "../support/api.ts";
import { MortalService } from "./kit/mortal-service.ts";

const PATH = "/v1/webhook-endpoints";
const BODY = { url: "https://8.8.8.8/events", events: ["payment.failed"] };

describe("killed between two steps of a webhook endpoint's life", () => {
  let mortal: MortalService;
  beforeAll(async () => {
    mortal = await MortalService.start();
  });
  afterAll(() => mortal.discard());

  const api = () => mortal.api;
  const create = (client: Api, key: string) =>
    client.post<NewWebhookEndpointBody>(PATH, BODY, { "Idempotency-Key": key });
  const listed = async () =>
    (await api().get<{ readonly data: readonly WebhookEndpointBody[] }>(PATH)).body.data.map(({ id }) => id);

  test.each(["endpoint:secret", "endpoint:registered"])(
    "create, at %s: the same request again makes it, once",
    async (point) => {
      const before = await listed();
      await mortal.dieDuring(point, (client) => create(client, point));
      const again = await create(api(), point);
      expect(again.status).toBe(201);
      expect(await listed()).toStrictEqual([again.body.id, ...before]);
      expect((await create(api(), point)).body).toStrictEqual(again.body);
    },
  );

  test("delete, at endpoint:deleted: it is gone", async () => {
    const { id } = (await create(api(), "to be deleted")).body;
    const remove = (client: Api) => client.call("DELETE", `${PATH}/${id}`);
    await mortal.dieDuring("endpoint:deleted", remove);
    expect(await listed()).not.toContain(id);
    expect((await remove(api())).status).toBe(404);
  });
});
