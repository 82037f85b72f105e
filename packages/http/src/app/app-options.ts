import type { Operation } from "@travel-booking/api-contract";
import type { WritePositions } from "@travel-booking/engines/write-positions";
import type { ProjectionProgress } from "@travel-booking/read-models";
import type { SealedWords, SubjectKeys } from "@travel-booking/read-models/sealed-words";
import type { CommandIdGenerator, Metrics, TextSealer } from "@travel-booking/runtime";
import type { Authenticator } from "../auth/authenticator.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { AddressRateLimiter, RateLimiter } from "../rate-limit.ts";
import type { ApiResponse, PlainRoute, Route } from "../route.ts";
import type { CorsOrigins } from "./cross-origin.ts";
import type { HealthOptions } from "./health.ts";
import type { InFlightOptions } from "./http-exchange.ts";

export interface AppOptions extends HealthOptions {
  readonly metrics: Metrics;
  /** The operations this process serves; of one service or of several. */
  readonly routes: readonly Route[];
  /** All operations of the API, whichever process serves them, to tell an unknown path from a wrong method. */
  readonly allOperations: readonly Operation[];
  /** Paths that are no operations of the API, besides those of health. */
  readonly plainRoutes?: readonly PlainRoute[];
  readonly authenticator: Authenticator;
  /** Called with the id of each valid credential that is sent. */
  readonly noteUse?: (credentialId: string) => void;
  /** Per credential. */
  readonly rateLimiter: RateLimiter;
  readonly addressRateLimiter: AddressRateLimiter;
  /** Origins whose pages may read responses; none by default. */
  readonly corsOrigins?: CorsOrigins;
  readonly commandIds: CommandIdGenerator;
  readonly idempotency: Idempotency;
  /** Seals the responses of `confidential` routes that are stored under an Idempotency-Key. */
  readonly responseSealer: TextSealer;
  /** Seals the personal words in the responses that are stored under an Idempotency-Key. */
  readonly words: Pick<SealedWords, "sealAnswer" | "openAnswer"> & { readonly keys: Pick<SubjectKeys, "requestKey"> };
  /** Stores the log position of each credential's last write. */
  readonly positions: WritePositions;
  readonly progress: ProjectionProgress;
  /** The response to an error that a handler throws. Undefined: the response is 500, and the error is logged. */
  readonly mapError?: (error: unknown) => ApiResponse | undefined;
  /** The response to a command or an upload that must not begin now; undefined if it may begin. */
  readonly refuseWrite?: (isUpload: boolean) => ApiResponse | undefined;
  /** Real milliseconds after which the response says that a command's outcome is unknown; by default 15,000. */
  readonly commandTimeoutMs?: number;
  /** When a service has too many requests in flight. */
  readonly inFlight?: InFlightOptions;
}
