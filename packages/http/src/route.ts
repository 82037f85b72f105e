import type { IncomingMessage, ServerResponse } from "node:http";
import type { Operation } from "@travel-booking/api-contract";
import type { Scope } from "@travel-booking/domain";
import type { IncomingFile, StagedFile } from "./uploaded-file.ts";

/** Who is asking, once the credential has been checked. */
export interface Caller {
  readonly accountId: string;
  readonly credentialId: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The API version this request is answered in, `YYYY-MM-DD`. */
  readonly apiVersion: string;
}

/** The identity under which the command of this request runs. */
export interface CommandIdentity {
  /** A UUID. Ids of everything the command creates derive from it. */
  readonly commandId: string;
  /**
   * True where another attempt with the same key may have run: what it did must be recognised, not repeated. To be
   * asked anew at every decision, once what it is decided on has been read: it becomes true where this attempt was
   * stalled and may be taken for dead.
   * @throws Overtaken another attempt has taken the command over, and answers: this one must stop.
   */
  readonly repeated: boolean;
}

/** A request that has passed authentication, scope, rate limit and validation. */
export interface ApiRequest<Query = unknown, Body = unknown> {
  readonly requestId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** Null only for operations without a scope. */
  readonly caller: Caller | null;
  /** Set for everything that writes on behalf of a caller. */
  readonly command: CommandIdentity | null;
  /** A request header, by its lower-case name. */
  header(name: string): string | undefined;
  /**
   * Waits for something that may take long and costs nothing. Meanwhile the request is not counted among those the
   * service works on at once.
   */
  waitUncounted<Value>(wait: Promise<Value>): Promise<Value>;
  readonly raw: { readonly request: IncomingMessage; readonly response: ServerResponse };
}

/** What a handler answers with. One place writes it to the socket. */
export interface ApiResponse {
  readonly status: number;
  /** JSON that is sent as it is; null for an empty body. */
  readonly json: string | Uint8Array | null;
  /** A `Content-Type` here (written so) replaces that of JSON. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Log position of what this request wrote: later reads of the same credential wait for it. */
  readonly position?: bigint;
  /**
   * True where asking again may be answered otherwise (a 409 that only says "in progress"): never kept under an
   * Idempotency-Key, and the same key runs the same command again.
   */
  readonly transient?: boolean;
}

export type Handler<Query = unknown, Body = unknown> = (
  request: ApiRequest<Query, Body>,
) => ApiResponse | Promise<ApiResponse>;

/**
 * Takes the file of a request in. A response: the request is refused, whatever its file is.
 * @throws UnacceptableFile
 */
export type StageFile = (request: ApiRequest, file: IncomingFile) => Promise<StagedFile | ApiResponse>;

export interface Route {
  readonly operation: Operation;
  readonly handler: Handler<never, never>;
  /** Projections the answer rests on: before the handler runs, each shows what the credential has written. */
  readonly reads?: readonly string[];
  /** Matched before the others. */
  readonly matchFirst?: boolean;
  /** What it answers holds a secret: under an Idempotency-Key it is kept sealed. */
  readonly confidential?: boolean;
  /** The handler checks query and body itself: it is given no query and, as body, a `RawBody`. */
  readonly skipsValidation?: boolean;
  /** For a multipart body: takes its file in as it arrives. The handler is given what that makes of it as body. */
  readonly upload?: { readonly maxBytes: number; readonly take: StageFile };
}

/** The body as it came, for a route that checks it itself. */
export type RawBody = { readonly bytes: Uint8Array } | { readonly problem: string };
