import { hash, randomUUID } from "node:crypto";
import type { Scope } from "@travel-booking/domain";
import type { Clock } from "@travel-booking/runtime";
import { jwtVerify, SignJWT } from "jose";

/** Lifetime of an access token, in seconds (docs/rules.md#access-tokens). */
export const TOKEN_LIFETIME = 3_600;

const ALGORITHM = "HS256";
const TYPE = "at+jwt";
const SERVICE = "travel-booking-service";
const MAX_CACHED_TOKENS = 10_000;

/** What a token says, once its signature has been checked. */
export interface TokenClaims {
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch, from when the token is no longer good. */
  readonly expiresAt: number;
}

export interface AccessTokensOptions {
  /** 32 bytes, for this purpose alone. */
  readonly key: Uint8Array;
  readonly clock: Clock;
}

/**
 * Access tokens as signed JWTs (RFC 9068). Checking a signature costs more than everything else a request needs, so
 * tokens found good are remembered, by their hash, until they expire.
 */
export class AccessTokens {
  readonly #key: Uint8Array;
  readonly #clock: Clock;
  /** Least recently used first. */
  readonly #good = new Map<string, TokenClaims>();

  constructor({ key, clock }: AccessTokensOptions) {
    this.#key = key;
    this.#clock = clock;
  }

  /** A token for this client, good for `TOKEN_LIFETIME` from now. */
  issue(clientId: string, scopes: readonly Scope[]): Promise<string> {
    const issuedAt = Math.floor(this.#clock.now() / 1_000);
    return new SignJWT({ client_id: clientId, scope: scopes.join(" ") })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
      .setIssuer(SERVICE)
      .setAudience(SERVICE)
      .setSubject(clientId)
      .setJti(randomUUID())
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + TOKEN_LIFETIME)
      .sign(this.#key);
  }

  /** What a good token says; undefined for any other. */
  verify(token: string): TokenClaims | undefined | Promise<TokenClaims | undefined> {
    const id = hash("sha256", token, "base64url");
    const known = this.#good.get(id);
    if (known === undefined) return this.#check(token, id);
    this.#good.delete(id);
    if (known.expiresAt <= this.#clock.now()) return undefined;
    this.#good.set(id, known);
    return known;
  }

  async #check(token: string, id: string): Promise<TokenClaims | undefined> {
    const claims = await this.#read(token);
    if (claims === undefined) return undefined;
    this.#good.set(id, claims);
    if (this.#good.size > MAX_CACHED_TOKENS) {
      for (const oldest of this.#good.keys()) {
        this.#good.delete(oldest);
        break;
      }
    }
    return claims;
  }

  async #read(token: string): Promise<TokenClaims | undefined> {
    try {
      const { payload } = await jwtVerify<{ client_id: unknown; scope: unknown }>(token, this.#key, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: SERVICE,
        audience: SERVICE,
        currentDate: new Date(this.#clock.now()),
        requiredClaims: ["sub", "client_id", "jti", "iat", "exp", "scope"],
      });
      const { client_id: clientId, scope, exp } = payload;
      if (typeof clientId !== "string" || typeof scope !== "string" || exp === undefined) return undefined;
      return { clientId, scopes: scope === "" ? [] : scope.split(" "), expiresAt: exp * 1_000 };
    } catch {
      return undefined;
    }
  }
}
