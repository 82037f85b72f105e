import type { ApiRequest } from "@travel-booking/http";

export interface ClientDisconnect {
  /** Aborts when the connection is closed before the answer. */
  readonly signal: AbortSignal;
  /** Nobody looks any more. */
  end(): void;
}

/** Whether the client of a request that takes long is still there. */
export function watchClientDisconnect({ raw: { response } }: Pick<ApiRequest, "raw">): ClientDisconnect {
  const gone = new AbortController();
  const closed = () => gone.abort();
  if (response.closed) closed();
  else response.once("close", closed);
  return { signal: gone.signal, end: () => void response.off("close", closed) };
}
