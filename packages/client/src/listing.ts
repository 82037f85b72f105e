/** One page of a list. */
export interface Page<Entry> {
  readonly data: Entry[];
  readonly page: { readonly nextCursor: string | null; readonly hasMore: boolean };
}

/** A list: iterate over it for all of its entries, fetched page by page; or ask for a page. */
export class Listing<Entry> implements AsyncIterable<Entry> {
  readonly #fetchPage: (cursor: string | undefined) => Promise<Page<Entry>>;
  readonly #first: string | undefined;

  constructor(fetchPage: (cursor: string | undefined) => Promise<Page<Entry>>, first?: string) {
    this.#fetchPage = fetchPage;
    this.#first = first;
  }

  /** The first page, or the one of the `cursor` that the list was asked for with. */
  page(): Promise<Page<Entry>> {
    return this.#fetchPage(this.#first);
  }

  async *pages(): AsyncGenerator<Page<Entry>, void, undefined> {
    let cursor: string | null | undefined = this.#first;
    do {
      const page = await this.#fetchPage(cursor);
      yield page;
      cursor = page.page.nextCursor;
    } while (cursor !== null);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Entry, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }
}
