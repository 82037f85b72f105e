import type { IncomingMessage, ServerResponse } from "node:http";
import type { Operation } from "@travel-booking/api-contract";
import type { Scope } from "@travel-booking/domain";
import type { BodyBounds, BodyProblem } from "./request/body.ts";

/** The authenticated client of a request. */
export interface Caller {
  readonly accountId: string;
  readonly credentialId: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The API version of the response, `YYYY-MM-DD`. */
  readonly apiVersion: string;
}

/** The identity under which the command of this request runs. */
export interface CommandIdentity {
  /** A UUID. Ids of everything the command creates derive from it. */
  readonly commandId: string;
  /**
   * True if another attempt with the same key may have run: its effects must be recognised, not repeated. Read it again
   * after loading the state, at every decision: it becomes true if this attempt stalls, so that its lease may be lost.
   * @throws Superseded another attempt has taken the command over and responds; this one must stop.
   */
  readonly repeated: boolean;
  /**
   * True while another attempt may have begun because this one stalled. That attempt may have been refused, which
   * leaves no trace. So the command decides nothing until the lease is renewed or lost, in a moment. Absent: false.
   * @throws Superseded as `repeated` does.
   */
  readonly lapsed?: boolean;
  /**
   * True if the response is stored behind the events in the log before it is sent. Then the last step need not await
   * its flush. Absent: false.
   */
  readonly storesResponse?: boolean;
  /**
   * True once a step of the command is durable, or may be, in this attempt or an earlier one. From then on "nothing was
   * attempted" (503) would be wrong. Code that takes a step sets it. Absent: false.
   */
  mayHaveActed?: boolean;
}

/** What a client has left of its rate limit. */
export interface RateStatus {
  readonly exceeded: boolean;
  /** Requests allowed per minute. */
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds. */
  readonly resetsAt: number;
  /** Seconds until a new window begins; at least one. */
  readonly retryAfter: number;
}

/** A request as its handler gets it. For an operation it has passed authentication, scope, rate limit and validation. */
export interface ApiRequest<Query = unknown, Body = unknown> {
  readonly requestId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** Null only for operations without a scope, and for plain routes. */
  readonly caller: Caller | null;
  /** Set for everything that writes on behalf of a caller. */
  readonly command: CommandIdentity | null;
  /** The rate limit that the response reports. A handler that counts requests itself sets it. */
  rate?: RateStatus | undefined;
  /** A request header, by its lower-case name. */
  header(name: string): string | undefined;
  /** Waits for something that may take long and uses no resources. Meanwhile the request is not in flight. */
  waitUncounted<Value>(wait: Promise<Value>): Promise<Value>;
  readonly raw: { readonly request: IncomingMessage; readonly response: ServerResponse };
}

export interface ApiResponse {
  readonly status: number;
  /** JSON that is sent as it is; null for an empty body. */
  readonly json: string | Uint8Array | null;
  /** A `Content-Type` here replaces that of JSON. The name must be written exactly so. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Log position of what this request wrote. Later reads with the same credential wait for it. */
  readonly position?: bigint;
  /**
   * True if a retry may get another response, such as a 409 that only says "in progress". The response is never stored
   * under an Idempotency-Key, and the same key runs the same command again.
   */
  readonly transient?: boolean;
  /** True if the command was given up for good, so that its Idempotency-Key is free for a new one. */
  readonly givenUp?: boolean;
}

export type Handler<Query = unknown, Body = unknown> = (
  request: ApiRequest<Query, Body>,
) => ApiResponse | Promise<ApiResponse>;

/** The handler of one operation of the API. */
export interface Route {
  readonly operation: Operation;
  readonly handler: Handler<never, never>;
  /**
   * The projections the handler reads, perhaps by the query. The handler runs once each of them shows what the
   * credential has written.
   */
  readonly reads?: readonly string[] | ((query: never) => readonly string[]);
  /** True if the response holds a secret, so that it is stored sealed under an Idempotency-Key. */
  readonly confidential?: boolean;
  /** The handler checks query and body itself. It gets no query, and a `RawBody` as its body. */
  readonly skipsValidation?: boolean;
  /** For a multipart body: stores its file as it arrives. The handler gets the `body` of the staged file. */
  readonly upload?: { readonly maxBytes: number; readonly take: StageFile };
}

/**
 * The handler of a path that is no operation of the API: a page, a health check, a call from another service. It gets
 * the request unchecked, and decides for itself who may call it.
 */
export interface PlainRoute {
  readonly method: "GET" | "POST";
  /** As Express writes it, with `:name` for a parameter. */
  readonly path: string;
  /** The handler gets a `RawBody` within these bounds; absent: the body is not read. */
  readonly body?: BodyBounds;
  readonly handler: Handler;
}

/** The unparsed body, for a route that checks it itself. */
export type RawBody = Buffer | BodyProblem;

/** The file of a multipart body as it arrives. */
export interface IncomingFile {
  /** As the client named it; undefined if it did not. */
  readonly fileName: string | undefined;
  /**
   * Readable once. It ends only after the whole body has proved valid, so a reader that fails on errors never stores the
   * file of an invalid body.
   * @throws InvalidFile and other errors; the reader must let them pass.
   */
  readonly content: AsyncIterable<Uint8Array>;
}

/** A file that is stored before its command decides. */
export interface StagedFile {
  /** The body the handler gets. */
  readonly body: unknown;
  /** Replaces the body in the fingerprint of an Idempotency-Key. */
  readonly fingerprint: unknown;
  /**
   * Called when the request is over: removes the file if it is not used. Without a response the command may have used
   * it, or may still do so. Never rejects.
   */
  settle(isAnswered: boolean): Promise<void>;
}

/**
 * Stores the file of a request. Returns an `ApiResponse` to refuse the request, whatever the file is.
 * @throws InvalidFile
 */
export type StageFile = (request: ApiRequest, file: IncomingFile) => Promise<StagedFile | ApiResponse>;
