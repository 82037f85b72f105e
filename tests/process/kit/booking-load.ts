import { ApiClient } from "../../support/api-client.ts";

const PASSENGER = [{ name: "Ada Lovelace", email: "ada@example.com" }];

export interface AcknowledgedWrites {
  readonly bookings: Map<string, { readonly id: string; readonly status: string }>;
  readonly payments: Map<string, unknown>;
  /** Answers that were neither an acknowledgement nor "not now". */
  readonly unexpectedResponses: unknown[];
}

/**
 * Clients that book and pay one after the other for as long as somebody answers. Resolves when nobody does any more.
 */
export async function bookUntilStopped(
  baseUrl: string,
  apiKey: string,
  flights: readonly string[],
  clients: number,
  enough: { readonly bookings: number; readonly reached: () => void },
): Promise<AcknowledgedWrites> {
  const acknowledged: AcknowledgedWrites = { bookings: new Map(), payments: new Map(), unexpectedResponses: [] };
  const api = new ApiClient(baseUrl, { apiKey });
  const client = async (flightId: string) => {
    for (;;) {
      const booked = await api.post<{ id: string; status: string }>("/v1/bookings", {
        flightId,
        cabin: "economy",
        passengers: PASSENGER,
      });
      if (booked.status !== 201) {
        if (booked.status !== 503) acknowledged.unexpectedResponses.push(booked.body);
        return;
      }
      acknowledged.bookings.set(booked.body.id, booked.body);
      if (acknowledged.bookings.size === enough.bookings) enough.reached();
      const paid = await api.post<{ id: string }>(
        `/v1/bookings/${booked.body.id}/payments`,
        { type: "card", token: "tok_visa" },
        { "Idempotency-Key": `pay-${booked.body.id}` },
      );
      if (paid.status === 201) acknowledged.payments.set(paid.body.id, paid.body);
      else if (paid.status !== 503) acknowledged.unexpectedResponses.push(paid.body);
    }
  };
  await Promise.all(
    Array.from({ length: clients }, (_, index) =>
      client(flights[index % flights.length] ?? "").catch((error: unknown) => {
        // What fetch throws comes from another realm than this module.
        if ((error as Error).name !== "TypeError") acknowledged.unexpectedResponses.push(error);
      }),
    ),
  );
  return acknowledged;
}

/** What was acknowledged and is not there, or is there otherwise. */
export async function lostWrites(
  api: ApiClient,
  { bookings, payments }: AcknowledgedWrites,
): Promise<readonly string[]> {
  const gone: string[] = [];
  for (const id of bookings.keys()) if ((await api.get(`/v1/bookings/${id}`)).status !== 200) gone.push(id);
  for (const [id, payment] of payments) {
    const now = await api.get(`/v1/payments/${id}`);
    if (now.status !== 200 || JSON.stringify(now.body) !== JSON.stringify(payment)) gone.push(id);
  }
  return gone;
}
