import { ApiClient } from "../support/api-client.ts";
import type { Service } from "../support/service.ts";

/** How the service runs, then as now. */
export const ENV = { SANDBOX_CLOCK: "true", RATE_LIMIT_PER_MINUTE: "0", WEBHOOK_ALLOW_PRIVATE_TARGETS: "true" };

/** A request that was answered: what a later release has to answer in the same way. */
export interface KeptAnswer {
  readonly path: string;
  readonly status: number;
  /** As it was sent. */
  readonly text: string;
}

/** What is kept of a release beside its data folder. */
export interface Kept {
  /** Of `package.json`. */
  readonly version: string;
  /** Milliseconds since the epoch: the service's time when it was stopped. */
  readonly stoppedAt: number;
  readonly apiKey: string;
  /** Of the API, under the key. */
  readonly answers: readonly KeptAnswer[];
  /** Of the operator interface. */
  readonly operatorAnswers: readonly KeptAnswer[];
  /** Requests under an `Idempotency-Key`, which are answered again with what was answered first. */
  readonly repeated: readonly RepeatedRequest[];
}

export interface RepeatedRequest extends KeptAnswer {
  readonly key: string;
  readonly body: unknown;
}

/** What clients read, once all of it is shown. */
export async function readAnswers(
  service: Service,
  apiKey: string,
  bookings: readonly string[],
  payments: readonly string[],
) {
  const { body } = await new ApiClient(service.baseUrl, { apiKey }).get<{ data: { id: string }[] }>(
    "/v1/events?limit=100",
  );
  const paths = [
    "/v1/destinations",
    "/v1/destinations/kepler-442b",
    "/v1/flights",
    "/v1/flights/UP-1",
    "/v1/flights/UP-1/seat-map",
    "/v1/bookings?limit=100",
    "/v1/bookings?email=ada@example.com&createdAfter=2026-01-01T00:00:00Z",
    "/v1/bookings?reference=UP-CHANGED",
    "/v1/payments?limit=100",
    "/v1/passengers",
    "/v1/loyalty/account",
    "/v1/loyalty/transactions",
    "/v1/webhook-endpoints",
    "/v1/events?limit=100",
    ...body.data.map(({ id }) => `/v1/events/${id}`),
    ...bookings.flatMap((id) =>
      ["", "/history", "/documents", "/summary"].map((below) => `/v1/bookings/${id}${below}`),
    ),
    `/v1/bookings/${bookings[0]}/boarding-pass?format=json`,
    ...payments.map((id) => `/v1/payments/${id}`),
  ];
  return Promise.all(paths.map((path) => answerOf(service.baseUrl, path, { "x-api-key": apiKey })));
}

/** What operators read; the lists that all releases have. */
export async function readOperatorAnswers(service: Service, token: string) {
  const paths = ["/operator/accounts", "/operator/refunds", "/operator/transfers", "/operator/erasures"];
  return Promise.all(paths.map((path) => answerOf(service.operatorUrl, path, { authorization: `Bearer ${token}` })));
}

export async function answerOf(
  base: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<KeptAnswer> {
  const response = await fetch(`${base}${path}`, { headers });
  return { path, status: response.status, text: await response.text() };
}
