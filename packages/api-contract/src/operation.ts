import type { Scope } from "@travel-booking/domain";
import type { ZodType } from "zod";
import type { ErrorCode, ErrorStatus } from "./errors/reasons.ts";
import type { HeaderName } from "./openapi/headers.ts";

/** The version of new accounts. */
export const CURRENT_API_VERSION = "2026-11-01";

/** Oldest first (docs/rules.md#api-versions). */
export const API_VERSIONS: readonly [string, ...string[]] = [CURRENT_API_VERSION];

/** The chapters of the published document, in the order in which a customer of the API meets them. */
export const TAGS = {
  Authentication: "Exchanging client credentials for an access token.",
  Destinations: "The planets that can be travelled to.",
  Flights: "Scheduled flights with their fares and seat maps.",
  "Seat holds": "Keeping seats for a quarter of an hour while a customer makes up their mind.",
  Bookings: "Booking passengers on a flight, changing and cancelling, and what happened so far.",
  Disruptions: "What it means for a booking that the carrier has cancelled its flight.",
  Passengers: "Saved passenger profiles.",
  Payments: "Paying for bookings and giving money back.",
  Documents: "Travel documents of a booking and what became of their review.",
  "Boarding passes": "What a passenger shows at the gate, as PDF, image or data.",
  Loyalty: "Points, tiers and rewards of the account.",
  Events: "What happened to bookings and payments, listed or followed as it happens.",
  "Webhook endpoints": "Having events delivered to a URL, signed and in order.",
  Webhooks: "What the service sends to webhook endpoints, by type of event.",
  Interface: "This description itself.",
} as const;

export type Tag = keyof typeof TAGS;

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Days in UTC, and the path that replaces the operation. */
export interface Deprecation {
  readonly since: string;
  readonly sunset: string;
  readonly successor: string;
}

/** One operation of the public API. Services use it to route and validate. The OpenAPI document is made from it. */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** For example `/v1/flights/{id}`. */
  readonly path: string;
  /** The service that answers the operation. */
  readonly service: "command" | "query" | "dispatcher";
  readonly tag: Tag;
  /** One line. */
  readonly summary: string;
  /** Whole sentences, CommonMark. */
  readonly description?: string;
  /** Null: no credential is needed. */
  readonly scope: Scope | null;
  /** Query parameters as strings. Unknown and repeated parameters are refused. Absent: no parameter is accepted. */
  readonly query?: ZodType;
  /** Parameters that may be repeated: `listParameter`. */
  readonly repeatable?: readonly string[];
  /** Absent: the operation takes no body. */
  readonly body?: ZodType;
  /** JSON by default. The fields of a form are strings; the schema of a multipart body describes its parts. */
  readonly bodyType?: "json" | "form" | "multipart";
  /** True: an empty body is accepted and reads as `{}`. */
  readonly bodyOptional?: boolean;
  /** Absent: `Idempotency-Key` has no meaning. */
  readonly idempotencyKey?: "required" | "accepted";
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    /** Null: no body. */
    readonly body: ZodType | null;
    /** Media types the answer may have instead of JSON, sent with a file name to save it as. */
    readonly files?: readonly string[];
    /** Headers that only some answers have. */
    readonly headers?: readonly HeaderName[];
    /** True: the answer has an entity tag, and `If-None-Match` is answered 304. */
    readonly tagged?: boolean;
  };
  /** Why a request may be refused, by status. Publishing adds the reasons that all operations share. */
  readonly errors?: { readonly [Status in ErrorStatus]?: readonly ErrorCode<Status>[] };
  readonly deprecated?: Deprecation;
  /** True: the operation may still change in ways that break a client. */
  readonly beta?: boolean;
}
