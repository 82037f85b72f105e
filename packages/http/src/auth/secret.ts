import { hash, randomInt, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 30 characters of 62 are 178 bits. */
const RANDOM_LENGTH = 30;
/** 62^6 is above 2^32. */
const CHECKSUM_LENGTH = 6;

const API_KEY_PREFIXES = { live: "tbs_live_", test: "tbs_test_" } as const;
const CLIENT_SECRET_PREFIX = "tbs_secret_";

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let count = 0; count < CHECKSUM_LENGTH; count += 1) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

function generate(prefix: string): string {
  let text = prefix;
  for (let count = 0; count < RANDOM_LENGTH; count += 1) text += ALPHABET[randomInt(ALPHABET.length)];
  return text + checksum(text);
}

/**
 * A new API key: a prefix for secret scanners, 178 random bits, and a checksum. Shown once, never stored.
 * @param kind chooses the prefix, for people only: both kinds of keys can do the same.
 */
export function generateApiKey(kind: keyof typeof API_KEY_PREFIXES = "live"): string {
  return generate(API_KEY_PREFIXES[kind]);
}

/** Characters of a key that may be seen: they leave 154 bits. */
const SEEN_LENGTH = 4;

/** How an API key begins, to tell it from others. */
export function prefixOfApiKey(key: string): string {
  return key.slice(0, key.lastIndexOf("_") + 1 + SEEN_LENGTH);
}

/** A new secret of an OAuth client, of the same form. */
export function generateClientSecret(): string {
  return generate(CLIENT_SECRET_PREFIX);
}

/** Whether this has the form of an API key. Mistyped and made-up keys are refused without a look-up. */
export function looksLikeApiKey(text: string): boolean {
  const prefix = Object.values(API_KEY_PREFIXES).find((each) => text.startsWith(each));
  if (prefix === undefined) return false;
  const length = prefix.length + RANDOM_LENGTH;
  if (text.length !== length + CHECKSUM_LENGTH) return false;
  return checksum(text.slice(0, length)) === text.slice(length);
}

/** SHA-256, base64url. Only this hash of a secret is stored. Secrets are random, so a slow hash is unnecessary. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "base64url");
}

/** Compares a secret with a stored hash. The time it takes reveals nothing about either. */
export function matchesSecretHash(secret: string, secretHash: string): boolean {
  const given = Buffer.from(hashSecret(secret));
  const stored = Buffer.from(secretHash);
  return given.length === stored.length && timingSafeEqual(given, stored);
}

/** Whether an `Authorization` header carries this token. The time it takes reveals nothing about the token. */
export function hasBearerToken(authorization: string | undefined, token: string): boolean {
  return matchesSecretHash(authorization ?? "", hashSecret(`Bearer ${token}`));
}
