import type { LoyaltyAccountBody, LoyaltyTransactionBody, RedemptionBody } from "@travel-booking/api-contract";
import { type Client, expectStatus } from "./client.ts";
import type { TestResponse } from "./test-response.ts";
import { readAllEntries, type World } from "./world.ts";

export function redeem(
  client: Client,
  body: object,
  headers?: Readonly<Record<string, string>>,
): Promise<TestResponse<RedemptionBody>> {
  return client.post<RedemptionBody>("/v1/loyalty/redemptions", body, headers);
}

/** The account; its balance is the sum of its transactions, each with the balance it left. */
export async function accountOf(client: Client): Promise<LoyaltyAccountBody> {
  const account = expectStatus(200, await client.get<LoyaltyAccountBody>("/v1/loyalty/account"));
  let balance = 0;
  for (const { points, balanceAfter } of (await transactionsOf(client)).toReversed()) {
    balance += points;
    if (balanceAfter !== balance) throw new Error(`balanceAfter is ${balanceAfter}, the sum so far ${balance}`);
  }
  if (account.pointsBalance !== balance) throw new Error(`${account.pointsBalance} points, the sum is ${balance}`);
  return account;
}

/** All of them, newest first. */
export function transactionsOf(client: Client, type?: string): Promise<readonly LoyaltyTransactionBody[]> {
  return readAllEntries(client, `/v1/loyalty/transactions${type === undefined ? "" : `?type=${type}`}`, 100);
}

/** Points by an operator's hand. */
export async function givePoints({ service }: World, accountId: string, points: number): Promise<void> {
  const answer = await service.operator("POST", "/loyalty/adjustments", { accountId, points, reason: "a gift" });
  if (answer.status !== 201) throw new Error(`no points were given: ${JSON.stringify(answer.body)}`);
}
