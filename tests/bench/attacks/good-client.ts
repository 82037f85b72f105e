import { ApiClient, type ApiClientResponse } from "../../support/api-client.ts";
import { bookingRequest } from "../data/booking-request.ts";
import { Latencies } from "../load/latencies.ts";

const CONNECTIONS = 4;

/** What a client that means well got. */
export interface GoodService {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Requests that were not answered with 2xx, or not at all. */
  readonly errors: number;
}

/** Books, pays and reads, one after another, on four connections for so long. */
export async function beGood(
  baseUrl: string,
  { apiKey, flightId, seconds }: { readonly apiKey: string; readonly flightId: string; readonly seconds: number },
): Promise<GoodService> {
  const api = new ApiClient(baseUrl, { apiKey });
  const latencies = new Latencies();
  let errors = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;

  const ask = async (request: () => Promise<ApiClientResponse<{ id: string }>>): Promise<string | undefined> => {
    const sentAt = performance.now();
    const answer = await request().catch(() => undefined);
    latencies.add(performance.now() - sentAt);
    if (answer !== undefined && answer.status < 300) return answer.body.id;
    errors += 1;
    return undefined;
  };
  const buy = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const id = await ask(() => api.post("/v1/bookings", bookingRequest(flightId)));
      if (id === undefined) continue;
      const key = { "Idempotency-Key": id };
      await ask(() => api.post(`/v1/bookings/${id}/payments`, { type: "card", token: "tok_visa" }, key));
      await ask(() => api.get(`/v1/bookings/${id}`));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, buy));
  const { p50, p99 } = latencies.summary();
  return { perSecond: (latencies.count / (performance.now() - startedAt)) * 1_000, p50, p99, errors };
}
