import { erase, mapWords, type Places } from "@travel-booking/domain";
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
import { blockOf, openJson, sealJson } from "./sealed-json.ts";
import type { SealedWords } from "./sealed-words.ts";
import { keyIdOf, putBack, sealBlock, takeApart, type WordKey } from "./word-block.ts";

/** A document before its words are taken out. A body that may have some is not text yet. */
export interface OpenDocument extends Omit<Document, "body"> {
  readonly body: string | object | null;
}

export interface OpenPut extends Omit<Put, "document"> {
  readonly document: OpenDocument;
}

export interface OpenBatch extends Omit<Batch, "writes"> {
  readonly writes: readonly (OpenPut | Delete)[];
}

/** The write side of the read models as the projector sees it: documents have their words. */
export interface OpenReadStore extends Omit<ReadStore, "write"> {
  /** No method, so that a store that seals nothing can't stand in for one. */
  readonly write: (batches: readonly OpenBatch[]) => Promise<void>;
}

/** A state whose words were taken out. */
interface SealedState {
  readonly sealed: string;
  readonly rest: unknown;
}

/** The read models with their personal words, erased where their key is gone. All but `count` throw StateStoreUnavailable, too. */
export class OpenedReadModels implements ReadModels {
  protected readonly models: ReadModels;
  protected readonly words: SealedWords;

  constructor(models: ReadModels, words: SealedWords) {
    this.models = models;
    this.words = words;
  }

  async body(model: string, key: string): Promise<Body | undefined> {
    const body = await this.models.body(model, key);
    return body && { ...body, json: await this.words.openJson(body.json) };
  }

  async document(model: string, key: string): Promise<Document | undefined> {
    const document = await this.models.document(model, key);
    return document && this.opened(model, document);
  }

  async page(model: string, request: PageRequest): Promise<readonly PageItem[]> {
    const items = await this.models.page(model, request);
    return Promise.all(items.map(async (item) => ({ ...item, json: await this.words.openJson(item.json) })));
  }

  count(model: string, request: CountRequest): Promise<number> {
    return this.models.count(model, request);
  }

  refresh(): void {
    this.models.refresh();
  }

  protected async opened(model: string, document: Document): Promise<Document> {
    const { body: text, state: stored, ...rest } = document;
    const block = text === null ? undefined : blockOf(text);
    const bodyKey = block === undefined ? null : await this.words.keyOf(block);
    const opened = {
      ...rest,
      /** Most who ask for a document look at its state alone. */
      get body() {
        return text === null || block === undefined ? text : openJson(text, block, bodyKey);
      },
    };
    const places = WORDS_OF_MODELS[model]?.state;
    if (places === undefined || !isSealed(stored)) return Object.assign(opened, { state: stored });
    const keyId = keyIdOf(stored.sealed);
    const state = mapWords(places, stored.rest, putBack(stored.sealed, await this.words.find(keyId)));
    return Object.assign(opened, { state, keyId });
  }
}

/** What the projector writes, words sealed. */
export class SealedReadStore extends OpenedReadModels implements OpenReadStore {
  readonly #store: ReadStore;

  constructor(store: ReadStore, words: SealedWords) {
    super(store, words);
    this.#store = store;
  }

  async documentsOf(generation: Generation, model: string, keys: readonly string[]) {
    const documents = await this.#store.documentsOf(generation, model, keys);
    return Promise.all(documents.map((document) => document && this.opened(model, document)));
  }

  async write(batches: readonly OpenBatch[]): Promise<void> {
    const sealed: Batch[] = [];
    for (const batch of batches) {
      const writes = batch.writes.map(async (write) =>
        write.kind === "put" ? { ...write, document: await this.#sealed(write) } : write,
      );
      sealed.push({ ...batch, writes: await Promise.all(writes) });
    }
    await this.#store.write(sealed);
  }

  create(generation: Generation, version: number) {
    return this.#store.create(generation, version);
  }

  checkpoint(generation: Generation) {
    return this.#store.checkpoint(generation);
  }

  generations(projection: string) {
    return this.#store.generations(projection);
  }

  switchLive(generation: Generation) {
    return this.#store.switchLive(generation);
  }

  drop(generation: Generation, signal?: AbortSignal) {
    return this.#store.drop(generation, signal);
  }

  async #sealed({ model, document: { keyId, ...document } }: OpenPut): Promise<Document> {
    const places = WORDS_OF_MODELS[model];
    const { body, state } = document;
    if (places === undefined || keyId === undefined) return { ...document, body: asText(body) };
    const key = await this.words.find(keyId);
    return {
      ...document,
      body: body === null || places.body === undefined ? asText(body) : sealJson(places.body, body, key),
      state: places.state === undefined ? state : sealState(places.state, state, key),
    };
  }
}

function asText(body: string | object | null): string | null {
  return typeof body === "object" && body !== null ? JSON.stringify(body) : body;
}

function sealState(places: Places, state: unknown, key: WordKey | null): unknown {
  if (key === null) return mapWords(places, state, erase);
  const { rest, words } = takeApart((map) => mapWords(places, state, map));
  return words.length === 0 ? state : ({ sealed: sealBlock(key, words), rest } satisfies SealedState);
}

function isSealed(state: unknown): state is SealedState {
  return typeof state === "object" && state !== null && "sealed" in state;
}
