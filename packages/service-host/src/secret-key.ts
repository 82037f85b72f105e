import { scrypt } from "node:crypto";
import { promisify } from "node:util";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { KeyInUse } from "@travel-booking/http";
import {
  type Clock,
  deriveKey,
  deriveKeys,
  type SecretKey,
  type Settings,
  StartupError,
  TextSealer,
  UnsealFailed,
} from "@travel-booking/runtime";

/** The secret key of an installation, and the previous one (docs/decisions/0060-a-secret-key-can-be-retired.md). */
export interface SecretKeys {
  /** Stored data is sealed under the first key, and unsealed with either. */
  readonly secretKey: SecretKey;
  /** Tokens of clients and other services are accepted if they were made with one of these keys. */
  readonly trustedKey: SecretKey;
  /** Which of the trusted keys this installation uses. @throws StateStoreUnavailable */
  readonly keyInUse: () => Promise<KeyInUse>;
  /** True: the previous key is given up, with everything sealed under it. */
  readonly isReplaced: boolean;
}

export type KeySettings = Pick<Settings, "secretKeyPrevious" | "secretKeyPreviousFor" | "secretKeyIsNew"> & {
  readonly secretKey: string;
};

interface OpenOptions {
  readonly state: Pick<StateStore, "get" | "create" | "put" | "replace">;
  readonly clock: Clock;
  /** Gets a line about a short key (`ServiceContext`). */
  readonly unusual: { push(what: string): unknown };
}

/** Which key this installation uses. Names are derived from keys, and reveal nothing about them. */
interface StoredUse {
  readonly name: string;
  /** When the first instance started with this key: milliseconds since the epoch by the service's clock. */
  readonly since: number;
  /** The name of the previous key. */
  readonly before: string | null;
}

const USE_SPACE = "secret-key-use";
const USE = "present";

const KEY_CHECK_SPACE = "secret-key-check";
/** Shows under which key everything is sealed, because a change of the key reseals this record last. */
export const SEALED_KEY_CHECK = { space: KEY_CHECK_SPACE, purpose: KEY_CHECK_SPACE, field: null } as const;
const KEY_CHECK = "sealed";
const KEY_CHECK_TEXT = "stored under this key";

const WRONG_KEY =
  "SECRET_KEY is not the one that what is stored was sealed under: start with that one " +
  "(where it was not set, it is in the file secret-key of DATA_DIR), or give that one as SECRET_KEY_PREVIOUS; if it is lost, start once with " +
  "SECRET_KEY_IS_NEW=true: personal words stored before are lost, and all webhook endpoints have to be created anew";

const SHORT_KEY =
  "what is stored is sealed under a SECRET_KEY that may be guessed: it has fewer than 43 characters of base64url; change it";

/** 43 characters of base64url, or of base64, are 32 bytes. 64 hexadecimal digits match, too. */
const LONG = /^[\w+/-]{43,}={0,2}$/;

/**
 * Opens the keys and compares them with the record of the first start. With another key the service would look healthy
 * but deliver no webhook.
 * @throws StartupError the key is another one, and was not declared as new.
 */
export async function openSecretKeys(settings: KeySettings, options: OpenOptions): Promise<SecretKeys> {
  const { secretKey: given, secretKeyPrevious: givenPrevious, secretKeyPreviousFor, secretKeyIsNew } = settings;
  const { state, clock, unusual } = options;
  // A first start stores these two records in the opposite order, so they are read in this order.
  const isStored = (await state.get(KEY_CHECK_SPACE, KEY_CHECK)) !== undefined;
  const used = (await state.get<StoredUse>(USE_SPACE, USE))?.value;
  /** A short text is stretched, unless it is in use as it is. Releases that stored no name stretched none. */
  const keyOf = async (text: string) => {
    const isUsed = used === undefined ? isStored : [used.name, used.before].includes(nameOf(text));
    return LONG.test(text) || isUsed ? text : stretched(text);
  };
  const present = await keyOf(given);
  if (present === given && !LONG.test(given)) unusual.push(SHORT_KEY);
  const secretKey: SecretKey = givenPrevious === undefined ? present : [present, await keyOf(givenPrevious)];
  const trustedKey = secretKeyPreviousFor === "unsealing" ? present : secretKey;

  const [name = "", previousName] = [secretKey].flat().map(nameOf);
  const use = { name, since: clock.now(), before: previousName ?? null };
  if (!isStored) await storeUse(state, use);
  const isReplaced = await checkSealed(state, secretKey, secretKeyIsNew);
  if (isStored) await storeUse(state, use);

  const trusted = [trustedKey].flat().map(nameOf);
  const keyInUse = async () => {
    const record = await state.get<StoredUse>(USE_SPACE, USE);
    const { name, since } = record?.value ?? use;
    return { index: trusted.indexOf(name), since };
  };
  return { secretKey, trustedKey, keyInUse, isReplaced };
}

function nameOf(key: string): string {
  return Buffer.from(deriveKey(key, "secret-key-name")).toString("base64url");
}

/** The cost in password stores (OWASP, RFC 7914): a third of a second, 32 MB. Another cost makes another key. */
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 26 };

/** Makes a key of 32 bytes, so that each guess of the text is costly. No salt, because instances share nothing yet. */
async function stretched(text: string): Promise<string> {
  const hash = promisify<string, string, number, typeof COST, Buffer>(scrypt);
  return (await hash(text, "travel-booking-service", 32, COST)).toString("base64url");
}

/** Stores that a key is in use. A key that was already in use keeps its `since`. */
async function storeUse(state: OpenOptions["state"], use: StoredUse): Promise<void> {
  const { record } = await state.create(USE_SPACE, USE, use);
  if (record.value.name === use.name) return;
  const changed = await state.replace(USE_SPACE, USE, record.version, { ...use, before: record.value.name });
  if (changed === undefined) await storeUse(state, use);
}

/** Returns whether the previous key is given up. @throws StartupError */
async function checkSealed(state: OpenOptions["state"], secretKey: SecretKey, isNew: boolean): Promise<boolean> {
  const texts = new TextSealer(deriveKeys(secretKey, KEY_CHECK_SPACE));
  const { record } = await state.create(KEY_CHECK_SPACE, KEY_CHECK, texts.seal(KEY_CHECK_TEXT, KEY_CHECK));
  try {
    texts.unseal(record.value, KEY_CHECK);
    return false;
  } catch (cause) {
    if (!(cause instanceof UnsealFailed)) throw cause;
    if (!isNew) throw new StartupError(WRONG_KEY, { cause });
    await state.put(KEY_CHECK_SPACE, KEY_CHECK, texts.seal(KEY_CHECK_TEXT, KEY_CHECK));
    return true;
  }
}
