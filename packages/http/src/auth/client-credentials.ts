/** Who a client says it is at the token endpoint. */
export type PresentedClient =
  | { readonly clientId: string; readonly clientSecret: string }
  /** Two ways at once, or one of them incomplete (RFC 6749 §2.3). */
  | { readonly problem: string; readonly error: "invalid_request" | "invalid_client" };

const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i;

function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/** RFC 6749 §2.3.1: both halves are form-encoded before they are joined. */
function fromBasic(authorization: string): { readonly id: string; readonly secret: string } | undefined {
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  const id = formDecoded(text.slice(0, Math.max(0, colon)));
  const secret = formDecoded(text.slice(colon + 1));
  return colon === -1 || !id || !secret ? undefined : { id, secret };
}

/** Reads the client's credentials from the form, or from HTTP Basic. */
export function presentedClient(
  form: { readonly client_id?: string | undefined; readonly client_secret?: string | undefined },
  authorization: string | undefined,
): PresentedClient {
  const { client_id: clientId, client_secret: clientSecret } = form;
  if (authorization === undefined) {
    if (clientId === undefined) return { error: "invalid_request", problem: "client_id is required" };
    if (clientSecret === undefined) return { error: "invalid_request", problem: "client_secret is required" };
    return { clientId, clientSecret };
  }
  const basic = fromBasic(authorization);
  if (basic === undefined) return { error: "invalid_client", problem: "Authorization must be HTTP Basic, well-formed" };
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.id)) {
    return { error: "invalid_request", problem: "the client must authenticate in one way only" };
  }
  return { clientId: basic.id, clientSecret: basic.secret };
}
