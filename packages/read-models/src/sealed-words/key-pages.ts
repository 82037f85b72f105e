import { hash, randomBytes } from "node:crypto";
import type { StateStore } from "@travel-booking/engines/state-store";
import { LRUCache } from "lru-cache";
import { type NewestKeyRecord, recordNewestKey } from "./newest-key.ts";
import type { WordKey } from "./word-block.ts";

const SPACE = "word-key-pages";
/** The slots of a page. */
const SLOTS = 64;
const SALT_BYTES = 16;
const PAGE_ID_BYTES = 9;
/** A page id in base64url, and one more character for the slot. */
const KEY_ID = /^[\w-]{13}$/;
const SLOT_NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const ERASED_SALT = Buffer.alloc(SALT_BYTES);
const ERASED = ERASED_SALT.toString("latin1");

/** Salts of an account, one after the other, in base64. Zeros: erased. */
interface StoredPage {
  readonly accountId: string;
  readonly salts: string;
}

/** `ofAccount`: the key of the account; null if that is erased. */
interface KnownPage {
  readonly ofAccount: WordKey | null;
  /** One character per byte, because a buffer of Node's pool would keep 64 kB for each page. */
  readonly salts: string;
}

/**
 * Bounds a cache of keys by its entries. The library's own option takes the room of all of them at once, for some milliseconds, and such
 * a cache is made anew whenever keys are forgotten.
 */
export function atMost(entries: number) {
  return { maxSize: entries, sizeCalculation: () => 1 } as const;
}

/** Pages in memory, about 1.2 kB each. */
const MAX_KNOWN = 5_000;
/** Accounts with a page that has keys left. */
const MAX_BEGUN = 1_000;

interface BegunPage extends KnownPage {
  readonly id: string;
  /** The next slot. */
  next: number;
}

/** The keys of accounts, as in `SubjectKeys`. */
interface KeysOfAccounts {
  find(accountId: string): Promise<WordKey | null | undefined>;
  findOrCreate(subject: string, accountId: string, isNew: boolean): Promise<WordKey | null>;
}

interface KeyPagesOptions {
  readonly state: Pick<StateStore, "get" | "create" | "replace">;
  readonly log: NewestKeyRecord | undefined;
  readonly accounts: KeysOfAccounts;
}

/**
 * Keys that are made in pages, since a record for each would cost more than sealing. A page belongs to an account, and is
 * handed out by the process that made it. A key is the hash of its account's key and of a salt, and is named by page and
 * slot. To destroy it is to overwrite its salt.
 */
export class KeyPages {
  readonly #options: KeyPagesOptions;
  #known = this.#noPages();
  /** Pages with keys left, by account; null: the account's key is erased. */
  readonly #begun = new LRUCache<string, Promise<BegunPage | null>>({ max: MAX_BEGUN });

  constructor(options: KeyPagesOptions) {
    this.#options = options;
  }

  static names(keyId: string): boolean {
    return KEY_ID.test(keyId);
  }

  /** A key that nothing was sealed under; null: the account's key is erased. @throws StateStoreUnavailable */
  async next(accountId: string): Promise<WordKey | null> {
    for (;;) {
      const begun = this.#begun.get(accountId) ?? this.#begin(accountId);
      const page = await begun;
      // Another call may have begun the next page, or the account's key was erased meanwhile.
      if (this.#begun.get(accountId) !== begun) continue;
      if (page !== null && page.next < SLOTS) return keyIn(page, page.id + SLOT_NAMES.charAt(page.next++));
      this.#begun.delete(accountId);
      if (page === null) return null;
    }
  }

  /** Undefined: no such page, or it needs another secret; null: the key is erased. @throws StateStoreUnavailable */
  async find(keyId: string): Promise<WordKey | null | undefined> {
    const pageId = keyId.slice(0, -1);
    // Many events need keys of one page at the same time, so the page is read once.
    const page = this.#known.get(pageId) ?? (await this.#known.fetch(pageId));
    return page && keyIn(page, keyId);
  }

  /** Destroys a key. Durable when it resolves. Call `forget` then. @throws StateStoreUnavailable */
  async erase(keyId: string): Promise<void> {
    const { state } = this.#options;
    const pageId = keyId.slice(0, -1);
    for (;;) {
      const record = await state.get<StoredPage>(SPACE, pageId);
      if (record === undefined) return;
      this.#begun.delete(record.value.accountId);
      const salts = Buffer.from(record.value.salts, "base64");
      ERASED_SALT.copy(salts, slotOf(keyId) * SALT_BYTES);
      const page = { ...record.value, salts: salts.toString("base64") };
      if ((await state.replace(SPACE, pageId, record.version, page)) !== undefined) return;
    }
  }

  /** Drops the cache. Reads in flight do not refill it. */
  forget(): void {
    this.#known = this.#noPages();
  }

  /** Takes no more keys from the existing pages. */
  endAll(): void {
    this.#begun.clear();
  }

  #noPages() {
    const fetchMethod = (pageId: string) => this.#read(pageId);
    return new LRUCache<string, KnownPage>({ ...atMost(MAX_KNOWN), fetchMethod, ignoreFetchAbort: true });
  }

  async #read(pageId: string): Promise<KnownPage | undefined> {
    const { state, accounts } = this.#options;
    const record = await state.get<StoredPage>(SPACE, pageId);
    if (record === undefined) return undefined;
    const ofAccount = await accounts.find(record.value.accountId);
    return ofAccount === undefined
      ? undefined
      : { ofAccount, salts: Buffer.from(record.value.salts, "base64").toString("latin1") };
  }

  #begin(accountId: string): Promise<BegunPage | null> {
    const begun = this.#makePage(accountId);
    this.#begun.set(accountId, begun);
    begun.catch(() => this.#begun.delete(accountId));
    return begun;
  }

  async #makePage(accountId: string): Promise<BegunPage | null> {
    const { state, log, accounts } = this.#options;
    const known = this.#known;
    const ofAccount = await accounts.findOrCreate(accountId, accountId, false);
    if (ofAccount === null) return null;
    const id = randomBytes(PAGE_ID_BYTES).toString("base64url");
    const salts = randomBytes(SLOTS * SALT_BYTES);
    const page = { ofAccount, salts: salts.toString("latin1") };
    const stored = { accountId, salts: salts.toString("base64") };
    await state.create<StoredPage>(SPACE, id, stored, { awaitFlush: false });
    recordNewestKey(log, SPACE, id);
    known.set(id, page);
    return { ...page, id, next: 0 };
  }
}

function slotOf(keyId: string): number {
  return SLOT_NAMES.indexOf(keyId.charAt(keyId.length - 1));
}

/** Both parts have a fixed length, so no other two make the same text. */
function keyIn({ ofAccount, salts }: KnownPage, id: string): WordKey | null {
  const at = slotOf(id) * SALT_BYTES;
  const salt = salts.slice(at, at + SALT_BYTES);
  if (ofAccount === null || salt === ERASED) return null;
  return {
    id,
    // Words that were opened before need it no more, only that it is there.
    get key() {
      return hash("sha256", ofAccount.key + salt, "base64url");
    },
  };
}
