import type { Document, Generation, Write } from "@travel-booking/engines/read-store";

/** An in-memory read store for folding: never replaces a newer document with an older one. */
export class InMemoryDocuments {
  readonly #documents = new Map<string, Document>();

  async documentsOf(_: Generation, model: string, keys: readonly string[]): Promise<readonly (Document | undefined)[]> {
    return keys.map((key) => structuredClone(this.#documents.get(`${model} ${key}`)));
  }

  /** Not stored: a restart begins with the first event. */
  async checkpoint(): Promise<bigint> {
    return 0n;
  }

  write(writes: readonly Write[]): void {
    for (const write of writes) {
      if (write.kind === "delete") this.#documents.delete(`${write.model} ${write.key}`);
      else if (write.document.position > (this.#documents.get(nameOf(write))?.position ?? 0n)) {
        this.#documents.set(nameOf(write), structuredClone(write.document));
      }
    }
  }

  /** A text that is equal for equal documents. */
  dump(): string {
    const named = [...this.#documents].sort(([one], [other]) => (one < other ? -1 : 1));
    return JSON.stringify(named, (_, value) => (typeof value === "bigint" ? String(value) : value));
  }

  /** The bodies of a model in the order of one of its indexes. */
  list(model: string, index: string): readonly string[] {
    const sortOf = (document: Document) => document.indexes[index]?.sort ?? "";
    return [...this.#documents]
      .filter(([name]) => name.startsWith(`${model} `))
      .map(([, document]) => document)
      .sort((one, other) => (sortOf(one) < sortOf(other) ? -1 : 1))
      .map(({ body }) => body ?? "");
  }
}

function nameOf({ model, document }: Extract<Write, { kind: "put" }>): string {
  return `${model} ${document.key}`;
}
