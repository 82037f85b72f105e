import type { Scope } from "@travel-booking/domain";
import type { ZodType } from "zod";
import type { Tag } from "./tags.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Since when an operation is deprecated and from when on it may be gone (days, UTC), and which path replaces it. */
export interface Deprecation {
  readonly since: string;
  readonly sunset: string;
  readonly successor: string;
}

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
  /** Where it stands in the published description. */
  readonly tag: Tag;
  /** One line. */
  readonly summary: string;
  /** What else a client should know: whole sentences, CommonMark. */
  readonly description?: string;
  /** Null: no credential needed. */
  readonly scope: Scope | null;
  /** Query parameters as strings; unknown or repeated ones are refused. Absent: no parameter is accepted. */
  readonly query?: ZodType;
  /** The body. Absent: the operation takes none. */
  readonly body?: ZodType;
  /** How the body is written: JSON unless told. A form's fields are strings; of a multipart body the schema says which parts. */
  readonly bodyType?: "json" | "form" | "multipart";
  /** True where an empty body is accepted and reads as `{}`. */
  readonly bodyOptional?: boolean;
  /** Whether `Idempotency-Key` is required, accepted, or of no meaning. */
  readonly idempotencyKey?: "required" | "accepted";
  /** The status of success and the shape of its body; null for no body. */
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly body: ZodType | null;
    /** What it may be besides JSON, as media types; told apart by `Content-Type`, with a file name to save it as. */
    readonly files?: readonly string[];
    /** True where the answer carries an entity tag, and a client that has it already is answered 304. */
    readonly tagged?: boolean;
  };
  /** Endpoint-specific error statuses with what they mean here; the common ones are added when published. */
  readonly errors?: Readonly<Record<number, string>>;
  readonly deprecated?: Deprecation;
  /** True for what may still change in ways that break a client. */
  readonly beta?: boolean;
}
