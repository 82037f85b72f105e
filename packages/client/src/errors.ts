/** What every error of this package is. */
export class TravelBookingError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** An answer of the service that is no success. Branch on the class, `status` and `code`; `message` is for people. */
export class ApiError extends TravelBookingError {
  readonly status: number;
  /** Stable and for programs, such as `seat_held`; undefined where the service sent none. */
  readonly code: string | undefined;
  /** For people: what failed validation has one entry per problem. */
  readonly problems: readonly string[];
  /** To be named when asking for help. */
  readonly requestId: string | undefined;
  /** Of the request: the same request may be sent again with it. */
  readonly idempotencyKey: string | undefined;
  /** Seconds the service asks to wait. */
  readonly retryAfter: number | undefined;

  constructor({ status, headers }: Response, text: string, idempotencyKey?: string) {
    const { problems, code } = parsed(text);
    super(problems.join("; ") || `the service answered ${status}`);
    this.status = status;
    this.code = headers.get("service-error-code") ?? code;
    this.problems = problems;
    this.requestId = headers.get("x-request-id") ?? undefined;
    this.idempotencyKey = idempotencyKey;
    this.retryAfter = seconds(headers.get("retry-after"));
  }

  /** The class for its status. */
  static of(response: Response, text: string, idempotencyKey?: string): ApiError {
    const Class = CLASSES[response.status] ?? (response.status >= 500 ? ServerError : ApiError);
    return new Class(response, text, idempotencyKey);
  }

  /** Whether the same request may succeed later without anything having changed. */
  get retryable(): boolean {
    return this.status >= 500 || this.status === 429 || (this.status === 409 && this.retryAfter !== undefined);
  }
}

/** 400: a parameter, a header or the body is not as it must be. */
export class BadRequestError extends ApiError {}
/** 401: there is no valid credential. */
export class AuthenticationError extends ApiError {}
/** 403: the credential lacks a scope, its account is suspended, or a quota is reached. */
export class PermissionError extends ApiError {}
/** 404 */
export class NotFoundError extends ApiError {}
/** 409: the state of things is against it. */
export class ConflictError extends ApiError {}
/** 422: well-formed, and yet it makes no sense. */
export class UnprocessableError extends ApiError {}
/** 429 */
export class RateLimitError extends ApiError {}
/** 5xx: what became of the request is not known, unless it is a 503. */
export class ServerError extends ApiError {}

const CLASSES: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: UnprocessableError,
  429: RateLimitError,
};

/** No answer came, or not in time: whether the request was carried out is not known. */
export class ConnectionError extends TravelBookingError {
  /** Of the request: sent again with it, it is carried out once. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, { cause, idempotencyKey }: { cause: unknown; idempotencyKey: string | undefined }) {
    super(message, { cause });
    this.idempotencyKey = idempotencyKey;
  }
}

/** The body of an error: of the service, of its token endpoint (RFC 6749 §5.2), or of a proxy on the way. */
function parsed(text: string): { problems: string[]; code?: string } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { problems: [] };
  }
  if (typeof body !== "object" || body === null) return { problems: [] };
  const { message, error, error_description: description } = body as Record<string, unknown>;
  if (typeof description === "string") return { problems: [description], code: String(error) };
  const problems = [message].flat();
  return { problems: problems.filter((problem) => typeof problem === "string") };
}

/** Whole seconds; the service sends no dates (RFC 9110 §10.2.3), but a proxy may. */
function seconds(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
