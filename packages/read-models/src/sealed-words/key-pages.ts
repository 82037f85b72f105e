import { hash, randomBytes } from "node:crypto";
import type { StateStore } from "@travel-booking/engines/state-store";
import { LRUCache } from "lru-cache";
import { type NewestKeyRecord, recordNewestKey } from "./newest-key.ts";
import type { SealingKey, SubjectKey, WordKey } from "./word-seal.ts";

const SPACE = "word-key-pages";
/** Of a page. */
const SLOTS = 64;
const SALT_BYTES = 16;
const PAGE_ID_BYTES = 9;
/** In base64url, with the slot in one more character. */
const KEY_ID = /^[\w-]{13}$/;
const SLOT_NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const ERASED_SALT = Buffer.alloc(SALT_BYTES);

/** Salts of an account, one behind the other, in base64. Zeros: erased. */
interface StoredPage {
  readonly accountId: string;
  readonly salts: string;
}

interface KnownPage {
  readonly ofAccount: string | null;
  readonly salts: Buffer;
}

/** Pages in memory, about 1.2 kB each. */
const MAX_KNOWN = 5_000;
/** Accounts with a page that keys are left of. */
const MAX_BEGUN = 1_000;

interface BegunPage {
  readonly id: string;
  readonly page: KnownPage;
  /** Of slots. */
  next: number;
}

/** As `SubjectKeys` has them. */
interface KeysOfAccounts {
  find(accountId: string): Promise<SubjectKey | undefined>;
  findOrCreate(subject: string, accountId: string, isNew: boolean): Promise<SubjectKey>;
}

interface KeyPagesOptions {
  readonly state: StateStore;
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
  readonly #known = new LRUCache<string, KnownPage>({ max: MAX_KNOWN });
  readonly #begun = new LRUCache<string, BegunPage>({ max: MAX_BEGUN });
  readonly #making = new Map<string, Promise<boolean>>();
  /** What was read before one is not kept in memory after it. */
  #erasures = 0;

  constructor(options: KeyPagesOptions) {
    this.#options = options;
  }

  static names(keyId: string): boolean {
    return KEY_ID.test(keyId);
  }

  /** A key that nothing was sealed under, if there is a page for it in memory. */
  nextMade(accountId: string): SealingKey | undefined {
    const begun = this.#begun.get(accountId);
    if (begun === undefined) return undefined;
    while (begun.next < SLOTS) {
      const id = begun.id + SLOT_NAMES.charAt(begun.next++);
      const key = keyIn(begun.page, id);
      if (key !== null) return { id, key };
    }
    return undefined;
  }

  /** Null: the account's key is erased. @throws StateStoreUnavailable */
  async next(accountId: string): Promise<WordKey> {
    for (;;) {
      const made = this.nextMade(accountId);
      if (made !== undefined) return made;
      let making = this.#making.get(accountId);
      if (making === undefined) {
        making = this.#makePage(accountId).finally(() => this.#making.delete(accountId));
        this.#making.set(accountId, making);
      }
      if (!(await making)) return null;
    }
  }

  /** As `find`, if its page is in memory. */
  cached(keyId: string): SubjectKey | undefined {
    const page = this.#known.get(keyId.slice(0, -1));
    return page && keyIn(page, keyId);
  }

  /** Undefined: there is no such page, or another secret is needed for it. @throws StateStoreUnavailable */
  async find(keyId: string): Promise<SubjectKey | undefined> {
    const pageId = keyId.slice(0, -1);
    const erasures = this.#erasures;
    const record = await this.#options.state.get<StoredPage>(SPACE, pageId);
    if (record === undefined) return undefined;
    const { accountId, salts } = record.value;
    const ofAccount = await this.#options.accounts.find(accountId);
    if (ofAccount === undefined) return undefined;
    const page = { ofAccount, salts: Buffer.from(salts, "base64") };
    if (erasures === this.#erasures) this.#known.set(pageId, page);
    return keyIn(page, keyId);
  }

  /** Durable when it resolves. @throws StateStoreUnavailable */
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
      if ((await state.replace(SPACE, pageId, record.version, page)) !== undefined) break;
    }
    this.#erasures += 1;
    this.#known.delete(pageId);
  }

  /** Nothing that was read before is believed any more. */
  forget(): void {
    this.#erasures += 1;
    this.#known.clear();
  }

  /** No more keys are taken from the pages there are. */
  endAll(): void {
    this.#begun.clear();
  }

  async #makePage(accountId: string): Promise<boolean> {
    const { state, log, accounts } = this.#options;
    const erasures = this.#erasures;
    const ofAccount = await accounts.findOrCreate(accountId, accountId, false);
    if (ofAccount === null) return false;
    const pageId = randomBytes(PAGE_ID_BYTES).toString("base64url");
    const page = { ofAccount, salts: randomBytes(SLOTS * SALT_BYTES) };
    const stored = { accountId, salts: page.salts.toString("base64") };
    await state.create<StoredPage>(SPACE, pageId, stored, { awaitFlush: false });
    recordNewestKey(log, SPACE, pageId);
    if (erasures !== this.#erasures) return true;
    this.#known.set(pageId, page);
    this.#begun.set(accountId, { id: pageId, page, next: 0 });
    return true;
  }
}

function slotOf(keyId: string): number {
  return SLOT_NAMES.indexOf(keyId.charAt(keyId.length - 1));
}

/** Both parts have a fixed length, so no other two make the same text. */
function keyIn({ ofAccount, salts }: KnownPage, keyId: string): SubjectKey {
  const at = slotOf(keyId) * SALT_BYTES;
  const salt = salts.subarray(at, at + SALT_BYTES);
  if (ofAccount === null || salt.equals(ERASED_SALT)) return null;
  return hash("sha256", ofAccount + salt.toString("latin1"), "base64url");
}
