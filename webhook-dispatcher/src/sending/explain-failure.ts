const MESSAGES_BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the endpoint refused the connection",
  ECONNRESET: "the endpoint closed the connection without an answer",
  EPIPE: "the endpoint closed the connection without an answer",
  UND_ERR_SOCKET: "the endpoint closed the connection without an answer",
  UND_ERR_CONNECT_TIMEOUT: "no connection to the endpoint in time",
  ETIMEDOUT: "no connection to the endpoint in time",
  EHOSTUNREACH: "the endpoint's network can't be reached",
  ENETUNREACH: "the endpoint's network can't be reached",
  UND_ERR_HEADERS_OVERFLOW: "the headers of the endpoint's answer are too large",
};

const NOT_VALID = "the endpoint's answer is not valid HTTP";

/** What the engine says of a connection it has closed itself, and nobody could tell from the code. */
const CLOSED_BY_ENGINE: Readonly<Record<string, string>> = {
  // A limit of undici's: RFC 9110 §15.2 has interim answers ignored that were not asked for.
  "bad response": "the endpoint answered 100 Continue, which was not asked for",
  "bad upgrade": "the endpoint changed the protocol, which was not asked for",
};

/** Why nothing was answered, for the owner of the endpoint: nothing of what the engine says besides its code. */
export function explainFailure(error: unknown): string {
  if (error instanceof Error && error.name === "HTTPParserError") return NOT_VALID;
  const code = codeOf(error);
  if (code === undefined) return "the endpoint could not be reached";
  const closed = code === "UND_ERR_SOCKET" && error instanceof Error ? CLOSED_BY_ENGINE[error.message] : undefined;
  const known = closed ?? MESSAGES_BY_CODE[code];
  if (known !== undefined) return known;
  // Its parser passes some of them on to an assertion.
  if (/^HPE_|^UND_ERR_RES|^ERR_ASSERTION$/.test(code)) return NOT_VALID;
  if (/CERT|SIGNATURE|ISSUER|^ERR_TLS|SELF_SIGNED/.test(code))
    return `the endpoint's certificate is not valid (${code})`;
  if (/^ERR_SSL|^EPROTO/.test(code)) return `no secure connection to the endpoint (${code})`;
  return `the endpoint could not be reached (${code})`;
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  // undici wraps what the socket said.
  const inner = cause === undefined ? undefined : codeOf(cause);
  return inner ?? (typeof code === "string" ? code : undefined);
}
