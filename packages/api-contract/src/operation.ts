import type { Scope } from "@travel-booking/domain";
import type { ZodType } from "zod";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/**
 * One operation of the public API, declared once: the services route and validate by it, and the published
 * interface description is made from it.
 */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** Path template as published, for example `/v1/flights/{id}`. */
  readonly path: string;
  /** Which service answers it. */
  readonly service: "command" | "query" | "dispatcher";
  readonly summary: string;
  /** Null: no credential needed. */
  readonly scope: Scope | null;
  /** Query parameters as strings; unknown or repeated ones are refused. Absent: no parameter is accepted. */
  readonly query?: ZodType;
  /** The body. Absent: the operation takes none. */
  readonly body?: ZodType;
  /** How the body is written: JSON unless told. A form's fields are strings. */
  readonly bodyType?: "json" | "form";
  /** True where an empty body is accepted and reads as `{}`. */
  readonly bodyOptional?: boolean;
  /** Whether `Idempotency-Key` is required, accepted, or of no meaning. */
  readonly idempotencyKey?: "required" | "accepted";
  /** The status of success and the shape of its body; null for no body. */
  readonly success: { readonly status: 200 | 201 | 202 | 204; readonly body: ZodType | null };
  /** Endpoint-specific error statuses with what they mean here; the common ones are added when published. */
  readonly errors?: Readonly<Record<number, string>>;
  readonly deprecated?: boolean;
}
