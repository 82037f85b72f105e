import type { ApiClient } from "../../support/api-client.ts";

export interface ListedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: { readonly id: string; readonly bookingId?: string } };
}

interface Listed {
  readonly data: readonly ListedEvent[];
  readonly page: { readonly nextCursor: string | null };
}

/** Every event of the account, oldest first. */
export async function everyEvent(api: ApiClient): Promise<readonly ListedEvent[]> {
  const all: ListedEvent[] = [];
  let cursor = "";
  do {
    const { body } = await api.get<Listed>(`/v1/events?order=asc&limit=100${cursor}`);
    all.push(...body.data);
    cursor = body.page.nextCursor === null ? "" : `&cursor=${encodeURIComponent(body.page.nextCursor)}`;
  } while (cursor !== "");
  return all;
}
