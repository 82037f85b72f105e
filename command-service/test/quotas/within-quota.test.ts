import { beforeEach, expect, test } from "@jest/globals";
import type { ApiResponse } from "@travel-booking/http";
import { AccountQuota } from "../../src/quotas/account-quota.ts";
import { withinQuota } from "../../src/quotas/within-quota.ts";
import { apiRequest } from "../../testing/index.ts";

let has = 0;
let quota: AccountQuota;
beforeEach(() => {
  has = 0;
  const options = { count: async () => has, caughtUp: async () => undefined, soleWriter: true };
  quota = new AccountQuota({ name: "passengers", most: 1, ...options });
});

const ask = (handle: () => Promise<ApiResponse>, repeated = false) =>
  withinQuota(quota, handle)(apiRequest({ accountId: "acc_1", command: { commandId: "1", repeated } }));
const answering = (status: number) => async () => ({ status, json: null });

test("what succeeds takes one, what is refused does not, and beyond the bound nothing is tried", async () => {
  for (const status of [404, 409, 422, 201]) expect((await ask(answering(status))).status).toBe(status);
  has = 1;
  const refused = await ask(() => Promise.reject(new Error("tried")));
  expect([refused.status, JSON.parse(String(refused.json))]).toStrictEqual([
    403,
    {
      statusCode: 403,
      message: "quota reached: an account may save 1 passengers; delete some first",
      error: "Forbidden",
    },
  ]);
});

test("a repeated command is carried out at the bound, too: it may be what took the last one", async () => {
  has = 1;
  expect((await ask(answering(201))).status).toBe(403);
  expect((await ask(answering(201), true)).status).toBe(201);
});

test("what fails may have been done: it counts until the read models say otherwise", async () => {
  await expect(ask(() => Promise.reject(new Error("the answer is lost")))).rejects.toThrow("the answer is lost");
  has = 1;
  expect((await ask(answering(201))).status).toBe(403);
  has = 0;
  expect((await ask(answering(201))).status).toBe(201);
});
