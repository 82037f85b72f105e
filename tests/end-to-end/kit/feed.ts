import type { EventBody } from "@travel-booking/api-contract";
import { type Client, expectStatus, type Page } from "./client.ts";

export type FeedPage = Page<EventBody>;

/** One page of the feed, which must be there. */
export async function feed(client: Client, parameters: Readonly<Record<string, string>> = {}): Promise<FeedPage> {
  return expectStatus(200, await client.get<FeedPage>(`/v1/events?${new URLSearchParams(parameters)}`));
}

/** All events of a booking and its payments, oldest first. */
export async function eventsOf(client: Client, bookingId: string): Promise<readonly EventBody[]> {
  return (await feed(client, { bookingId, order: "asc", limit: "100" })).data;
}

export const typesOf = (events: readonly EventBody[]) => events.map(({ type }) => type);
export const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id);
