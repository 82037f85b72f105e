import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import type { StateStore } from "@travel-booking/engines/state-store";
import { scanPrefix } from "@travel-booking/engines/state-store/prefix-scan";
import { deriveKey } from "@travel-booking/runtime";
import { jwtVerify, SignJWT } from "jose";

/** Seconds of real time without a page being asked for, after which the token is asked for again. */
const LONGEST_PAUSE = 3_600;
/** Seconds of real time after which it is asked for again in any case. */
const LONGEST_SESSION = 12 * 3_600;
const ENDED_SPACE = "operator-sessions-ended";

/** An operator who has given the token. */
export interface Session {
  readonly id: string;
  /** As the operator wrote it. */
  readonly name: string;
  /** Seconds since the epoch. */
  readonly begunAt: number;
}

/** Of a session that somebody has signed out of. */
interface EndedSession {
  /** When its cookies are void by themselves: seconds since the epoch. Of real time, which the service's clock may leave behind. */
  readonly until: number;
}

/**
 * Sessions are stored nowhere: a signed cookie holds one. Every instance with the same operator token knows them, and another
 * token ends them all. Stored is which have ended, for cookies that were copied.
 */
export class Sessions {
  readonly #key: Uint8Array;
  readonly #state: Pick<StateStore, "get" | "put" | "list" | "remove">;
  readonly #now: () => number;

  /** @param now milliseconds since the epoch. */
  constructor(token: string, state: Pick<StateStore, "get" | "put" | "list" | "remove">, now: () => number = Date.now) {
    this.#key = deriveKey(token, "operator-page");
    this.#state = state;
    this.#now = now;
  }

  begin(name: string): Session {
    return { id: randomUUID(), name, begunAt: this.#seconds() };
  }

  /** The value of the cookie, which counts from now on. */
  seal({ id, name, begunAt }: Session): Promise<string> {
    const expiresAt = Math.min(this.#seconds() + LONGEST_PAUSE, begunAt + LONGEST_SESSION);
    return new SignJWT({ name })
      .setProtectedHeader({ alg: "HS256" })
      .setJti(id)
      .setIssuedAt(begunAt)
      .setExpirationTime(expiresAt)
      .sign(this.#key);
  }

  /**
   * Undefined for a cookie that is expired, was not made with this token, or is of a session that has ended.
   * @throws StateStoreUnavailable nobody knows whether it has.
   */
  async open(cookie: string | undefined): Promise<Session | undefined> {
    const session = cookie === undefined ? undefined : await this.#read(cookie);
    if (session === undefined) return undefined;
    return (await this.#state.get(ENDED_SPACE, session.id)) === undefined ? session : undefined;
  }

  /** Every cookie of it is void, on every instance, when it resolves. @throws StateStoreUnavailable */
  async end({ id, begunAt }: Session): Promise<void> {
    await this.#state.put<EndedSession>(ENDED_SPACE, id, { until: begunAt + LONGEST_SESSION });
    for await (const { key, value } of scanPrefix<EndedSession>(this.#state, ENDED_SPACE, "")) {
      if (value.until < this.#seconds()) await this.#state.remove(ENDED_SPACE, key);
    }
  }

  /** What a form of this session carries, which no other site can know. */
  formToken({ id }: Session): string {
    return createHmac("sha256", this.#key).update(id).digest("base64url");
  }

  isFormToken(session: Session, given: string | undefined): boolean {
    const [expected, sent] = [Buffer.from(this.formToken(session)), Buffer.from(given ?? "")];
    return expected.length === sent.length && timingSafeEqual(expected, sent);
  }

  async #read(cookie: string): Promise<Session | undefined> {
    const requiredClaims = ["exp", "iat", "jti"];
    try {
      const options = { algorithms: ["HS256"], requiredClaims, currentDate: new Date(this.#now()) };
      const { jti = "", iat = 0, name } = (await jwtVerify<{ name: string }>(cookie, this.#key, options)).payload;
      return { id: jti, name, begunAt: iat };
    } catch {
      return undefined;
    }
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1_000);
  }
}
