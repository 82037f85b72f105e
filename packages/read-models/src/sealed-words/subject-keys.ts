import { createHmac, type Hmac, hash, randomBytes } from "node:crypto";
import { canonicalEmail } from "@travel-booking/domain";
import type { StateStore } from "@travel-booking/engines/state-store";
import { UnsealFailed } from "@travel-booking/runtime/sealing";
import { deriveKeys, type SecretKey, TextSealer } from "@travel-booking/runtime/secrets";
import { LRUCache } from "lru-cache";
import { atMost, KeyPages } from "./key-pages.ts";
import { type NewestKeyRecord, recordNewestKey } from "./newest-key.ts";
import type { WordKey } from "./word-block.ts";

const SPACE = "subject-keys";
/** The keys of accounts: those of everything else follow from them. */
export const WRAPPED_KEYS = { space: SPACE, purpose: SPACE, field: "wrapped" } as const;
const KEY_BYTES = 32;
/** Of base64url: 36 bits. */
const WORD_KEY_LENGTH = 6;

/**
 * What is stored of a key. Of an account: the key, sealed under the service's secret. Of a saved passenger: a salt,
 * from which and the account's key it follows, so that without the account's key there is none. Erased: neither.
 * `former`: the account was opened before there were keys.
 */
type StoredKey =
  | { readonly wrapped: string; readonly former?: true }
  | { readonly accountId: string; readonly salt: string }
  | { readonly erased: true };

/** Keys of accounts and passengers in memory, about 200 bytes each. */
const CACHED = atMost(20_000);
/** Real time: for so long at most another process may still know a key that was erased. */
const SHARED_FOR_MS = 5_000;

export type KeyStore = Pick<StateStore, "get" | "create" | "put" | "replace">;

export interface SubjectKeysOptions {
  /** Where the keys are. */
  readonly state: KeyStore;
  /** What is stored with the log, where that is another store: it is told the newest key (`checkKeys`). */
  readonly log?: NewestKeyRecord | undefined;
  readonly secretKey: SecretKey;
  /** Whether other processes erase keys, too: what is in memory is forgotten every `SHARED_FOR_MS` then. */
  readonly shared: boolean;
}

/**
 * The keys that personal words are sealed under: one for each account and saved passenger, and one or more for each
 * booking, from `pages`. They are in the state store and nowhere else. A word whose key is erased is forgotten wherever it
 * is stored.
 */
export class SubjectKeys {
  readonly pages: KeyPages;
  readonly #state: KeyStore;
  readonly #log: NewestKeyRecord | undefined;
  readonly #wrapping: TextSealer;
  #cache = new LRUCache<string, WordKey>(CACHED);
  /** Called whenever a key is destroyed: another thread may know it. */
  onErased: () => void = () => undefined;

  constructor({ state, log, secretKey, shared }: SubjectKeysOptions) {
    this.#state = state;
    this.#wrapping = new TextSealer(deriveKeys(secretKey, SPACE));
    this.#log = log;
    this.pages = new KeyPages({ state, log, accounts: this });
    if (shared) setInterval(() => this.forget(), SHARED_FOR_MS).unref();
  }

  /** Undefined: there is none, or one that another secret is needed for; null: it is erased. @throws StateStoreUnavailable */
  async find(id: string): Promise<WordKey | null | undefined> {
    const cache = this.#cache;
    const found = KeyPages.names(id) ? await this.pages.find(id) : (cache.get(id) ?? (await this.#read(id, cache)));
    // Keys were forgotten meanwhile: it may have been erased.
    return cache === this.#cache ? found : this.find(id);
  }

  /**
   * The key of an account or a saved passenger, made if it has none; null: it is erased. Where the store `sharesLog` it is durable before whatever is appended
   * then, else when it resolves.
   * @param isNew this begins its stream, so it can hardly have one.
   * @throws StateStoreUnavailable
   */
  async findOrCreate(subject: string, accountId: string, isNew: boolean): Promise<WordKey | null> {
    const known = isNew ? undefined : await this.find(subject);
    if (known !== undefined) return known;
    const ofOther = subject !== accountId;
    if (ofOther && (await this.findOrCreate(accountId, accountId, false)) === null) return null;
    const fresh = randomBytes(KEY_BYTES).toString("base64url");
    const stored: StoredKey = ofOther
      ? { accountId, salt: fresh }
      : { wrapped: this.#wrapping.seal(fresh, subject), ...(!isNew && { former: true }) };
    const cache = this.#cache;
    const { created, record } = await this.#state.create<StoredKey>(SPACE, subject, stored, { awaitFlush: false });
    if (created) recordNewestKey(this.#log, SPACE, subject);
    const key = await this.#open(subject, created ? stored : record.value, cache);
    if (key !== undefined) return key;
    // The secret is a new one, and what was sealed is lost (`SECRET_KEY_IS_NEW`).
    await this.#state.replace<StoredKey>(SPACE, subject, record.version, stored);
    return this.findOrCreate(subject, accountId, false);
  }

  /**
   * A name for an e-mail address inside its account, the same whatever its case, that only those who have the account's key can make
   * (docs/privacy.md). An account that was opened before there were keys keeps the names it has. @throws StateStoreUnavailable
   */
  async emailKey(accountId: string, email: string): Promise<string> {
    const canonical = canonicalEmail(email);
    const record = await this.#state.get<StoredKey>(SPACE, accountId);
    if (record === undefined || "former" in record.value) return hash("sha256", canonical, "hex");
    return nameUnder(await this.find(accountId), canonical).digest("hex");
  }

  /**
   * A short name for a word inside its account, that only those who have the account's key can make (docs/privacy.md); few other words have
   * the same. Undefined: the account was opened before there were keys, so it may have the word where nothing is named after it.
   * @throws StateStoreUnavailable
   */
  async wordKey(accountId: string, word: string): Promise<string | undefined> {
    const key = await this.find(accountId);
    if (key === undefined || key?.former) return undefined;
    return nameUnder(key, word).digest("base64url").slice(0, WORD_KEY_LENGTH);
  }

  /** Tells requests of an account apart, as their fingerprint does, and says nothing of them. @throws StateStoreUnavailable */
  async requestKey(accountId: string, fingerprint: string): Promise<string> {
    return nameUnder(await this.findOrCreate(accountId, accountId, false), fingerprint).digest("base64url");
  }

  /** Destroys a key, with that of an account those of all it has. Durable when it resolves. */
  async erase(id: string): Promise<void> {
    if (KeyPages.names(id)) await this.pages.erase(id);
    else {
      await this.#state.put<StoredKey>(SPACE, id, { erased: true });
      this.pages.endAll();
    }
    // Keys that followed from it are in memory, too.
    this.forget();
    this.onErased();
  }

  /** Drops the cache. Reads in flight do not refill it. */
  forget(): void {
    this.#cache = new LRUCache(CACHED);
    this.pages.forget();
  }

  async #read(id: string, cache: LRUCache<string, WordKey>): Promise<WordKey | null | undefined> {
    const record = await this.#state.get<StoredKey>(SPACE, id);
    return record && this.#open(id, record.value, cache);
  }

  async #open(id: string, stored: StoredKey, cache: LRUCache<string, WordKey>): Promise<WordKey | null | undefined> {
    if ("erased" in stored) return null;
    const key = "wrapped" in stored ? this.#unwrap(id, stored.wrapped) : await this.#derive(stored);
    if (typeof key !== "string") return key;
    const opened = { id, key, ...("former" in stored && { former: true as const }) };
    cache.set(id, opened);
    return opened;
  }

  /** Both parts have a fixed length, so no other two make the same text. */
  async #derive({ accountId, salt }: { readonly accountId: string; readonly salt: string }) {
    const ofAccount = await this.find(accountId);
    return ofAccount && hash("sha256", ofAccount.key + salt, "base64url");
  }

  #unwrap(subject: string, wrapped: string): string | undefined {
    try {
      return this.#wrapping.unseal(wrapped, subject);
    } catch (error) {
      if (error instanceof UnsealFailed) return undefined;
      throw error;
    }
  }
}

/** Without the key, a name that is never made again. */
function nameUnder(key: WordKey | null | undefined, text: string): Hmac {
  return createHmac("sha256", key?.key ?? randomBytes(KEY_BYTES)).update(text);
}
