import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { deriveKey } from "@travel-booking/runtime";
import { jwtVerify, SignJWT } from "jose";

/** Seconds of real time without a page being asked for, after which the token is asked for again. */
const LIFETIME = 3_600;

/** An operator who has given the token. */
export interface Session {
  readonly id: string;
  /** As the operator wrote it. */
  readonly name: string;
}

/**
 * Sessions that are stored nowhere: a signed cookie holds one. Every instance with the same operator token knows them,
 * and another token ends them all.
 */
export class Sessions {
  readonly #key: Uint8Array;
  readonly #now: () => number;

  /** @param now milliseconds since the epoch. */
  constructor(token: string, now: () => number = Date.now) {
    this.#key = deriveKey(token, "operator-page");
    this.#now = now;
  }

  begin(name: string): Session {
    return { id: randomUUID(), name };
  }

  /** The value of the cookie, which counts from now on. */
  seal({ id, name }: Session): Promise<string> {
    const expiresAt = Math.floor(this.#now() / 1_000) + LIFETIME;
    return new SignJWT({ name })
      .setProtectedHeader({ alg: "HS256" })
      .setJti(id)
      .setExpirationTime(expiresAt)
      .sign(this.#key);
  }

  /** Undefined for a cookie that is expired, or was not made with this token. */
  async open(cookie: string | undefined): Promise<Session | undefined> {
    if (cookie === undefined) return undefined;
    try {
      const options = { algorithms: ["HS256"], requiredClaims: ["exp"], currentDate: new Date(this.#now()) };
      const { jti = "", name } = (await jwtVerify<{ name: string }>(cookie, this.#key, options)).payload;
      return { id: jti, name };
    } catch {
      return undefined;
    }
  }

  /** What a form of this session carries, which no other site can know. */
  formToken({ id }: Session): string {
    return createHmac("sha256", this.#key).update(id).digest("base64url");
  }

  isFormToken(session: Session, given: unknown): boolean {
    const [expected, sent] = [Buffer.from(this.formToken(session)), Buffer.from(String(given))];
    return expected.length === sent.length && timingSafeEqual(expected, sent);
  }
}
