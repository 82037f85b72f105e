import type { Credentials } from "./credentials.ts";
import { Listing, type Page } from "./listing.ts";
import type { CallOptions, CommandOptions, Transport } from "./transport.ts";
import type { AnswerOf, BodyOf, EntryOf, IdsOf, Method, PathOf, QueryOf } from "./types.ts";

export interface RequestOf<M extends Method, P extends PathOf<M>> {
  readonly ids?: Readonly<Record<IdsOf<P>, string>>;
  readonly query?: QueryOf<M, P> | undefined;
  readonly body?: BodyOf<M, P> | FormData;
  readonly waitSeconds?: number;
}

/** The operations of the interface description, typed by method and path template. */
export class Api {
  readonly #transport: Transport;
  readonly #credentials: Credentials;

  constructor(transport: Transport, credentials: Credentials) {
    this.#transport = transport;
    this.#credentials = credentials;
  }

  call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    request: RequestOf<M, P>,
    options: CommandOptions = {},
  ): Promise<AnswerOf<M, P>> {
    return this.read(method, path, request, options, async (response) => {
      // A body that need not be there: 202 and 204 have none.
      const text = await response.text();
      return (text === "" ? undefined : JSON.parse(text)) as AnswerOf<M, P>;
    });
  }

  list<P extends PathOf<"get">>(path: P, request: RequestOf<"get", P>, options?: CallOptions): Listing<EntryOf<P>> {
    const { cursor: first, ...filters }: { cursor?: string } = request.query ?? {};
    const page = (cursor: string | undefined) =>
      this.call("get", path, { ...request, query: { ...filters, cursor } as unknown as QueryOf<"get", P> }, options);
    return new Listing((cursor) => page(cursor) as Promise<Page<EntryOf<P>>>, first);
  }

  /** For answers that are no JSON. */
  read<M extends Method, P extends PathOf<M>, Answer>(
    method: M,
    path: P,
    request: RequestOf<M, P>,
    options: CommandOptions,
    read: (response: Response) => Promise<Answer>,
  ): Promise<Answer> {
    return this.#transport.send({ method, path, ...request, credentials: this.#credentials }, options, read);
  }
}
