import { erase, mapWords } from "@travel-booking/domain";
import type {
  Batch,
  Body,
  CountRequest,
  Delete,
  Document,
  Generation,
  PageItem,
  PageRequest,
  Put,
  ReadModels,
  ReadStore,
} from "@travel-booking/engines/read-store";
import { WORDS_OF_MODELS } from "../words-of-models.ts";
import { blockOf, openJson, putInto, TakenWords, wordsOf } from "./sealed-json.ts";
import type { SealedWords } from "./sealed-words.ts";
import { keyIdOf } from "./word-block.ts";

/**
 * Words by which an account finds something. Their names (`SubjectKeys.wordKey`) come behind the entries of the body, which is a list;
 * none does where the key that `keyId` names is erased.
 */
export interface FoundBy {
  readonly accountId: string;
  readonly words: readonly string[];
}

/** A document before its words are taken out. A body that may have some is not text yet. */
export interface OpenDocument extends Omit<Document, "body"> {
  readonly body: string | object | null;
  readonly foundBy?: FoundBy | undefined;
}

export interface OpenPut extends Omit<Put, "document"> {
  readonly document: OpenDocument;
}

export interface OpenBatch extends Omit<Batch, "writes"> {
  readonly writes: readonly (OpenPut | Delete)[];
}

/** The read models with their personal words, erased where their key is gone. All but `count` throw StateStoreUnavailable, too. */
export class OpenedReadModels implements ReadModels {
  readonly #models: ReadModels;
  readonly #words: SealedWords;

  constructor(models: ReadModels, words: SealedWords) {
    this.#models = models;
    this.#words = words;
  }

  async body(model: string, key: string): Promise<Body | undefined> {
    const body = await this.#models.body(model, key);
    return body && { ...body, json: await this.#words.openJson(body.json) };
  }

  async document(model: string, key: string): Promise<Document | undefined> {
    const document = await this.#models.document(model, key);
    return document && openDocument(this.#words, model, document);
  }

  async page(model: string, request: PageRequest): Promise<readonly PageItem[]> {
    const items = await this.#models.page(model, request);
    return Promise.all(items.map(async (item) => ({ ...item, json: await this.#words.openJson(item.json) })));
  }

  count(model: string, request: CountRequest): Promise<number> {
    return this.#models.count(model, request);
  }

  refresh(): void {
    this.#models.refresh();
  }
}

type Store = Pick<ReadStore, "documentsOf" | "write" | "checkpoint">;

/** The documents that a projector reads and writes, with their words: they are sealed where they are stored. */
export class SealedDocuments {
  readonly #store: Store;
  readonly #words: SealedWords;

  constructor(store: Store, words: SealedWords) {
    this.#store = store;
    this.#words = words;
  }

  /** As `ReadStore.documentsOf`. @throws StateStoreUnavailable, too. */
  async documentsOf(generation: Generation, model: string, keys: readonly string[]) {
    const documents = await this.#store.documentsOf(generation, model, keys);
    return Promise.all(documents.map((document) => document && openDocument(this.#words, model, document)));
  }

  checkpoint(generation: Generation) {
    return this.#store.checkpoint(generation);
  }

  /** As `ReadStore.write`. @throws StateStoreUnavailable, too. */
  async write(batches: readonly OpenBatch[]): Promise<void> {
    const sealed: Batch[] = [];
    for (const batch of batches) {
      const writes = batch.writes.map((write) => (write.kind === "put" ? this.#sealed(write) : write));
      sealed.push({ ...batch, writes: await Promise.all(writes) });
    }
    await this.#store.write(sealed);
  }

  /** All words of a document are in the block before its body. Most documents have none, and wait for nothing. */
  #sealed(put: OpenPut): Put | Promise<Put> {
    const { model, document } = put;
    const { body, foundBy } = document;
    if (WORDS_OF_MODELS[model] !== undefined || foundBy !== undefined) return this.#sealedOf(put);
    return isText(body) ? (put as Put) : { ...put, document: { ...document, body: JSON.stringify(body) } };
  }

  async #sealedOf(put: OpenPut): Promise<Put> {
    const { keyId, foundBy, body: open, state, ...rest } = put.document;
    const places = WORDS_OF_MODELS[put.model];
    const key = keyId === undefined ? undefined : await this.#words.find(keyId);
    const body = foundBy !== undefined && key !== null ? await this.#withNames(open, foundBy) : open;
    const stored = (text: string | null, after: unknown): Put => {
      return { ...put, document: { ...rest, body: text, state: after } };
    };
    if (places === undefined || key === undefined) return stored(textOf(body), state);
    if (key === null) {
      const erased = JSON.stringify(mapWords(places.body, body, erase));
      return stored(erased, places.state ? mapWords(places.state, state, erase) : state);
    }
    const words = new TakenWords();
    const text = words.takeIntoText(places.body, body);
    const after = places.state ? words.takeOutOf(places.state, state) : state;
    return stored(words.sealBefore(text, key), after);
  }

  async #withNames(body: OpenDocument["body"], { accountId, words }: FoundBy): Promise<OpenDocument["body"]> {
    const names = await Promise.all(words.map((word) => this.#words.keys.wordKey(accountId, word)));
    return [...(body as readonly unknown[]), ...names.filter((name) => name !== undefined)];
  }
}

const isText = (body: OpenDocument["body"]) => typeof body === "string" || body === null;
const textOf = (body: OpenDocument["body"]) => (isText(body) ? body : JSON.stringify(body));

async function openDocument(sealed: SealedWords, model: string, document: Document): Promise<Document> {
  const { body, state } = document;
  const block = body === null ? undefined : blockOf(body);
  if (body === null || block === undefined) return document;
  const keyId = keyIdOf(block);
  const words = wordsOf(block, await sealed.find(keyId));
  const places = WORDS_OF_MODELS[model]?.state;
  const opened = places ? putInto(places, state, words) : state;
  return { ...document, body: openJson(body, block, words), state: opened, keyId };
}
