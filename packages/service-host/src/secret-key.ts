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

/** The secret of an installation, and the one before it (docs/decisions/0060-a-secret-key-can-be-retired.md). */
export interface SecretKeys {
  /** What is stored is sealed under the first, and unsealed with either. */
  readonly secretKey: SecretKey;
  /** What clients and other services present is believed if it was made with one of these. */
  readonly trustedKey: SecretKey;
  /** Which of the trusted ones is in use in this installation. @throws StateStoreUnavailable */
  readonly keyInUse: () => Promise<KeyInUse>;
  /** The key before is given up, with all that is sealed under it. */
  readonly isReplaced: boolean;
}

export type KeySettings = Pick<Settings, "secretKeyPrevious" | "secretKeyPreviousFor" | "secretKeyIsNew"> & {
  readonly secretKey: string;
};

interface OpenOptions {
  readonly state: Pick<StateStore, "get" | "create" | "put" | "replace">;
  readonly clock: Clock;
  /** Is told of a short key (`ServiceContext`). */
  readonly unusual: { push(what: string): unknown };
}

/** Which key this installation uses. Names are derived from keys, and show nothing of them. */
interface StoredUse {
  readonly name: string;
  /** When the first instance started with it: milliseconds since the epoch by the service's clock. */
  readonly since: number;
  /** The one before. */
  readonly before: string | null;
}

const USE_SPACE = "secret-key-use";
const USE = "present";

const KEY_CHECK_SPACE = "secret-key-check";
/** Under which key everything is: sealed anew last when the key is changed. */
export const SEALED_KEY_CHECK = { space: KEY_CHECK_SPACE, purpose: KEY_CHECK_SPACE, field: null } as const;
const KEY_CHECK = "sealed";
const KEY_CHECK_TEXT = "stored under this key";

const WRONG_KEY =
  "SECRET_KEY is not the one that what is stored was sealed under: start with that one " +
  "(where it was not set, it is in the file secret-key of DATA_DIR), or give that one as SECRET_KEY_PREVIOUS; if it is lost, start once with " +
  "SECRET_KEY_IS_NEW=true: personal words stored before are lost, and all webhook endpoints have to be created anew";

const SHORT_KEY =
  "what is stored is sealed under a SECRET_KEY that may be guessed: it has fewer than 43 characters of base64url; change it";

/** 43 characters of base64url are 32 bytes; 64 hexadecimal digits are among them. Those of base64 are as good. */
const LONG = /^[\w+/-]{43,}={0,2}$/;

/**
 * The keys of what is stored, compared with what the first start left: with another key the service would look healthy and
 * deliver no webhook.
 * @throws StartupError it is another key, and not declared as a new one.
 */
export async function openSecretKeys(settings: KeySettings, options: OpenOptions): Promise<SecretKeys> {
  const { secretKey: given, secretKeyPrevious: givenPrevious, secretKeyPreviousFor, secretKeyIsNew } = settings;
  const { state, clock, unusual } = options;
  // In this order: a first start stores them in the other one.
  const isStored = (await state.get(KEY_CHECK_SPACE, KEY_CHECK)) !== undefined;
  const used = (await state.get<StoredUse>(USE_SPACE, USE))?.value;
  /** As it is where it is long or something is stored under it so, for which a release that did not tell names stands, too. */
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

/** As much as a password store has (OWASP, RFC 7914): a third of a second, 32 MB. Another cost would be another key. */
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 26 };

/** A key of 32 bytes that costs whoever guesses the text. The same for all instances: they share nothing yet. */
async function stretched(text: string): Promise<string> {
  const hash = promisify<string, string, number, typeof COST, Buffer>(scrypt);
  return (await hash(text, "travel-booking-service", 32, COST)).toString("base64url");
}

/** Stores that a key is in use, since now unless it was before. */
async function storeUse(state: OpenOptions["state"], use: StoredUse): Promise<void> {
  const { record } = await state.create(USE_SPACE, USE, use);
  if (record.value.name === use.name) return;
  const changed = await state.replace(USE_SPACE, USE, record.version, { ...use, before: record.value.name });
  if (changed === undefined) await storeUse(state, use);
}

/** Whether the key before is given up. @throws StartupError */
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
