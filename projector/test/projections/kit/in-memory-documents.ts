import { type LogMark, NOTHING_SEEN } from "@travel-booking/engines/event-store";
import type { Body, Delete, Document, Generation, PageItem, PageRequest } from "@travel-booking/engines/read-store";
import type { OpenPut } from "@travel-booking/read-models/sealed-words";

/** An in-memory read store for folding and reading: never replaces a newer document with an older one. */
export class InMemoryDocuments {
  readonly #documents = new Map<string, Document>();
  /** Documents read, and ranges found empty. */
  reads = 0;

  async documentsOf(_: Generation, model: string, keys: readonly string[]): Promise<readonly (Document | undefined)[]> {
    return keys.map((key) => structuredClone(this.#documents.get(`${model} ${key}`)));
  }

  /** Not stored: a restart begins with the first event. */
  async checkpoint(): Promise<LogMark> {
    return NOTHING_SEEN;
  }

  write(writes: readonly (OpenPut | Delete)[]): void {
    for (const write of writes) {
      if (write.kind === "delete") this.#documents.delete(`${write.model} ${write.key}`);
      else if (write.document.position > (this.#documents.get(nameOf(write))?.position ?? 0n)) {
        const { state, body, keyId: _, foundBy: __, ...rest } = write.document;
        const text = typeof body === "object" && body !== null ? JSON.stringify(body) : body;
        this.#documents.set(nameOf(write), { ...rest, body: text, state: JSON.parse(JSON.stringify(state)) });
      }
    }
  }

  /** A text that is equal for equal documents. */
  dump(): string {
    const named = [...this.#documents].sort(([one], [other]) => (one < other ? -1 : 1));
    return JSON.stringify(named, (_, value) => (typeof value === "bigint" ? String(value) : value));
  }

  /** All documents of a model. */
  all(model: string): readonly Document[] {
    return [...this.#documents].filter(([name]) => name.startsWith(`${model} `)).map(([, document]) => document);
  }

  async document(model: string, key: string): Promise<Document | undefined> {
    this.reads += 1;
    return structuredClone(this.#documents.get(`${model} ${key}`));
  }

  async body(model: string, key: string): Promise<Body | undefined> {
    const document = await this.document(model, key);
    return document && { json: document.body ?? "", staleAt: document.staleAt };
  }

  async page(model: string, request: PageRequest): Promise<readonly PageItem[]> {
    const { index, partition, order, limit, after, from, before } = request;
    const items = [...this.#documents]
      .filter(([name, { indexes }]) => name.startsWith(`${model} `) && indexes[index]?.partition === partition)
      .map(([, document]) => ({ document, sort: document.indexes[index]?.sort ?? "" }))
      .sort((one, other) => (one.sort < other.sort ? -1 : 1));
    if (order === "descending") items.reverse();
    const isBehind = (sort: string) => after === undefined || (order === "ascending" ? sort > after : sort < after);
    const found = items
      .filter(({ sort }) => isBehind(sort) && (from === undefined || sort >= from))
      .filter(({ sort }) => before === undefined || sort < before)
      .slice(0, limit);
    this.reads += Math.max(found.length, 1);
    return found.map(({ sort, document: { key, body, staleAt } }) => ({
      key,
      sort,
      json: body ?? "",
      staleAt,
    }));
  }

  /** The bodies of a list, in ascending order. */
  async list(model: string, index: string, partition: string): Promise<readonly string[]> {
    const all = await this.page(model, { index, partition, order: "ascending", limit: Number.POSITIVE_INFINITY });
    return all.map(({ json }) => Buffer.from(json).toString());
  }
}

function nameOf({ model, document }: OpenPut): string {
  return `${model} ${document.key}`;
}
