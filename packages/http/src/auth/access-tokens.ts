import { hash, randomUUID } from "node:crypto";
import type { Scope } from "@travel-booking/domain";
import type { Clock, DerivedKeys } from "@travel-booking/runtime";
import { LRUCache } from "lru-cache";

/** Lifetime of an access token, in seconds (docs/rules.md#access-tokens). */
export const TOKEN_LIFETIME = 3_600;
/** Seconds by which the clock of the instance that issued a token may be ahead. */
const CLOCK_SKEW = 60;

const ALGORITHM = "HS256";
const TYPE = "at+jwt";
const HEADER = { alg: ALGORITHM, typ: TYPE };
/** The first characters of each of our tokens. No other is decoded: a deeply nested header would take milliseconds. */
const BEGINNING = `${Buffer.from(JSON.stringify(HEADER)).toString("base64url")}.`;
const SERVICE = "travel-booking-service";
const MAX_CACHED_TOKENS = 10_000;

/** The content of a token with a valid signature. */
export interface TokenClaims {
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Which of the keys signs while `SECRET_KEY` is being changed. */
export interface KeyInUse {
  /** Index among the keys; -1: the key in use is not among them. */
  readonly index: number;
  /** When an instance first started with it: milliseconds since the epoch by the service's clock. */
  readonly since: number;
}

interface AccessTokensOptions {
  /** 32 bytes each, used for nothing else. */
  readonly keys: DerivedKeys;
  /** Asked when there are two keys, so that all instances sign with the same one, whatever the order of their keys. */
  readonly keyInUse: () => Promise<KeyInUse>;
  readonly clock: Clock;
}

/**
 * Access tokens as signed JWTs (RFC 9068). Checking a signature costs more than everything else a request needs, so the
 * claims of valid tokens are cached. The JWT library is loaded with the first token.
 */
export class AccessTokens {
  readonly #keys: DerivedKeys;
  readonly #keyInUse: () => Promise<KeyInUse>;
  readonly #clock: Clock;
  /** By the hash of the token. Expiry is checked on reading: it follows the service's clock, not the cache's. */
  readonly #valid = new LRUCache<string, TokenClaims>({ max: MAX_CACHED_TOKENS });

  constructor({ keys, keyInUse, clock }: AccessTokensOptions) {
    this.#keys = keys;
    this.#keyInUse = keyInUse;
    this.#clock = clock;
  }

  /** A new token for this client, valid for `TOKEN_LIFETIME`. */
  async issue(clientId: string, scopes: readonly Scope[]): Promise<string> {
    const { SignJWT } = await import("jose");
    const [key, other] = this.#keys;
    const signing = other !== undefined && (await this.#keyInUse()).index === 1 ? other : key;
    const issuedAt = Math.floor(this.#clock.now() / 1_000);
    return new SignJWT({ client_id: clientId, scope: scopes.join(" ") })
      .setProtectedHeader(HEADER)
      .setIssuer(SERVICE)
      .setAudience(SERVICE)
      .setSubject(clientId)
      .setJti(randomUUID())
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + TOKEN_LIFETIME)
      .sign(signing);
  }

  /** The claims of a valid token; undefined for any other. */
  verify(token: string): TokenClaims | undefined | Promise<TokenClaims | undefined> {
    if (!token.startsWith(BEGINNING)) return undefined;
    const id = hash("sha256", token, "base64url");
    const cached = this.#valid.get(id);
    if (cached === undefined) return this.#verifyWithAnyKey(token, id);
    return cached.expiresAt > this.#clock.now() ? cached : undefined;
  }

  async #verifyWithAnyKey(token: string, id: string): Promise<TokenClaims | undefined> {
    if (!isCanonical(token)) return undefined;
    const [key, other] = this.#keys;
    const ofFirst = await this.#verifyWith(key, token);
    const verified = ofFirst ?? (other && (await this.#verifyWith(other, token)));
    if (verified === undefined) return undefined;
    const { issuedAt, ...claims } = verified;
    if (other !== undefined) {
      const { index, since } = await this.#keyInUse();
      // Else a stolen retired key could sign for ever. Tokens from before its retirement expire within an hour.
      if (index !== (ofFirst === undefined ? 1 : 0) && issuedAt > since) return undefined;
    }
    this.#valid.set(id, claims);
    return claims;
  }

  /** `issuedAt` is in milliseconds since the epoch. Undefined if the token was not signed here under this key. */
  async #verifyWith(key: Uint8Array, token: string): Promise<(TokenClaims & { issuedAt: number }) | undefined> {
    const { jwtVerify } = await import("jose");
    const now = this.#clock.now();
    try {
      const { payload } = await jwtVerify<{ client_id: unknown; scope: unknown }>(token, key, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: SERVICE,
        audience: SERVICE,
        currentDate: new Date(now),
        requiredClaims: ["sub", "client_id", "jti", "iat", "exp", "scope"],
      });
      const { client_id: clientId, scope, iat, exp } = payload;
      if (typeof clientId !== "string" || typeof scope !== "string") return undefined;
      if (typeof iat !== "number" || typeof exp !== "number") return undefined;
      if (exp - iat > TOKEN_LIFETIME || iat > now / 1_000 + CLOCK_SKEW) return undefined;
      const scopes = scope === "" ? [] : scope.split(" ");
      return { clientId, scopes, expiresAt: exp * 1_000, issuedAt: iat * 1_000 };
    } catch {
      return undefined;
    }
  }
}

/**
 * Whether each part is canonical base64url (RFC 7515 §2). Decoders also accept padding, other alphabets and unused
 * bits.
 */
function isCanonical(token: string): boolean {
  const parts = token.split(".", 4);
  return parts.length === 3 && parts.every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
}
