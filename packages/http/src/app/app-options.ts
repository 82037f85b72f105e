import type { Operation } from "@travel-booking/api-contract";
import type { WritePositions } from "@travel-booking/engines/write-positions";
import type { ProjectionProgress } from "@travel-booking/read-models";
import type { CommandIdGenerator, Logger, Metrics, TextSealer } from "@travel-booking/runtime";
import type { Authenticator } from "../auth/authenticator.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { AddressRateLimiter, RateLimiter } from "../rate-limit.ts";
import type { ApiResponse, Route } from "../route.ts";
import type { Lifecycle } from "../server.ts";
import type { AuxiliaryHandler } from "./auxiliary-handler.ts";
import type { ReadinessCheck } from "./health.ts";

export interface AppOptions {
  /** What this process answers; of one service or of several. */
  readonly routes: readonly Route[];
  /** What the API has, whoever answers it: tells an unknown path from a wrong method. */
  readonly allOperations: readonly Operation[];
  readonly authenticator: Authenticator;
  /** Per credential. */
  readonly rateLimiter: RateLimiter;
  readonly addressRateLimiter: AddressRateLimiter;
  readonly commandIds: CommandIdGenerator;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Needed where a route takes an Idempotency-Key. */
  readonly idempotency?: Idempotency;
  /** Needed where a route that takes one is `confidential`. */
  readonly responseSealer?: TextSealer;
  /** Where writes leave their position. */
  readonly positions: WritePositions;
  /** Needed where a route `reads`. */
  readonly progress?: ProjectionProgress;
  /** All must hold for `/health/ready`. */
  readonly readiness?: Readonly<Record<string, ReadinessCheck>>;
  readonly lifecycle?: Lifecycle;
  /** Further GETs that are no operations of the API, by path; each checks for itself who asks. */
  readonly auxiliaryGetRoutes?: Readonly<Record<string, AuxiliaryHandler>>;
  /** POSTs that are no operations either, such as what another service asks to be done; by path, with `:name` for a part of it. */
  readonly auxiliaryPostRoutes?: Readonly<Record<string, AuxiliaryHandler>>;
  /** How an error a handler throws is answered; undefined: 500, and the log has it. */
  readonly mapError?: (error: unknown) => ApiResponse | undefined;
  /** Requests one service works on at once. */
  readonly maxInFlight?: number;
}
