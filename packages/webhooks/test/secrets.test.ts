import { beforeEach, describe, expect, test } from "@jest/globals";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { WebhookSecrets } from "../src/secrets.ts";

let store: InMemoryStateStore;
let secrets: WebhookSecrets;
beforeEach(() => {
  store = new InMemoryStateStore();
  secrets = new WebhookSecrets(store, "the service's secret");
});

describe("the secret of a webhook endpoint", () => {
  test("is 32 random bytes, its own, and the same again", async () => {
    const secret = await secrets.getOrCreate("whe_1");
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice("whsec_".length), "base64").length).toBe(32);
    expect(await secrets.getOrCreate("whe_1")).toBe(secret);
    expect(await secrets.get("whe_1")).toBe(secret);
    expect(await secrets.getOrCreate("whe_2")).not.toBe(secret);
    expect(await new WebhookSecrets(store, "the service's secret").get("whe_1")).toBe(secret);
  });

  test("is the same for concurrent callers", async () => {
    const obtained = await Promise.all(Array.from({ length: 20 }, () => secrets.getOrCreate("whe_1")));
    expect(new Set(obtained).size).toBe(1);
  });

  test("is stored encrypted, and unreadable with another key or for another endpoint", async () => {
    const secret = await secrets.getOrCreate("whe_1");
    const stored = JSON.stringify(await store.list("webhook-secrets", { limit: 10 }));
    expect(stored).not.toContain(secret.slice("whsec_".length));
    await expect(new WebhookSecrets(store, "another").get("whe_1")).rejects.toThrow("another key");
    const record = await store.get<string>("webhook-secrets", "whe_1");
    await store.put("webhook-secrets", "whe_2", record?.value);
    await expect(secrets.get("whe_2")).rejects.toThrow("another key");
  });

  test("can be replaced, and is gone once removed", async () => {
    expect(await secrets.get("whe_1")).toBeUndefined();
    await secrets.getOrCreate("whe_1");
    await secrets.put("whe_1", "whsec_other");
    expect(await secrets.getOrCreate("whe_1")).toBe("whsec_other");
    await secrets.remove("whe_1");
    expect(await secrets.get("whe_1")).toBeUndefined();
    await secrets.remove("whe_1");
  });
});
