import type { BenchService } from "./bench-service.ts";

/** Request headers that carry an API key. */
export type Credential = Readonly<Record<"x-api-key", string>>;

/** An account with two keys, so that what one reads does not wait for what the other wrote. */
export interface BenchAccount {
  readonly writer: Credential;
  readonly reader: Credential;
}

export async function openAccount({ operator }: BenchService): Promise<BenchAccount> {
  const { id } = (await operator.request("POST", "/operator/accounts", { name: "Bench" })) as { id: string };
  const issue = async (): Promise<Credential> => {
    const body = { accountId: id, kind: "api-key" };
    const { apiKey } = (await operator.request("POST", "/operator/credentials", body)) as { apiKey: string };
    return { "x-api-key": apiKey };
  };
  return { writer: await issue(), reader: await issue() };
}
