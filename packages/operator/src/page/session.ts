import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import type { StateStore } from "@travel-booking/engines/state-store";
import { scanPrefix } from "@travel-booking/engines/state-store/prefix-scan";
import { deriveKey } from "@travel-booking/runtime";
import { jwtVerify, SignJWT } from "jose";

/** Seconds of real time without a request, after which the token must be given again. */
const LONGEST_PAUSE = 3_600;
/** Seconds of real time after which the token must be given again in any case. */
const LONGEST_SESSION = 12 * 3_600;
const ENDED_SPACE = "operator-sessions-ended";

/** The session of an operator who has given the token. */
export interface Session {
  readonly id: string;
  /** As the operator wrote it. */
  readonly name: string;
  /** Seconds since the epoch. */
  readonly begunAt: number;
}

/** A record of a session that was signed out of. */
interface EndedSession {
  /** When its cookies expire: seconds since the epoch, in real time, because the service's clock may run ahead. */
  readonly until: number;
}

/**
 * Sessions are not stored: a signed cookie holds each one. Every instance with the same operator token accepts it, and
 * a new token ends all sessions. Only ended sessions are stored, against copied cookies.
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

  /** The value of the session's cookie, with a new expiry. */
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
   * Undefined if the cookie is expired, was not made with this token, or its session has ended.
   * @throws StateStoreUnavailable it is unknown whether the session has ended.
   */
  async open(cookie: string | undefined): Promise<Session | undefined> {
    const session = cookie === undefined ? undefined : await this.#read(cookie);
    if (session === undefined) return undefined;
    return (await this.#state.get(ENDED_SPACE, session.id)) === undefined ? session : undefined;
  }

  /** When it resolves, every cookie of the session is void on every instance. @throws StateStoreUnavailable */
  async end({ id, begunAt }: Session): Promise<void> {
    await this.#state.put<EndedSession>(ENDED_SPACE, id, { until: begunAt + LONGEST_SESSION });
    for await (const { key, value } of scanPrefix<EndedSession>(this.#state, ENDED_SPACE, "")) {
      if (value.until < this.#seconds()) await this.#state.remove(ENDED_SPACE, key);
    }
  }

  /** The token that a form of this session carries. No other site can know it. */
  formToken({ id }: Session): string {
    return this.#sign(id);
  }

  /** Shows that a form of this session asked for this name before this action. */
  nameToken({ id }: Session, action: string, name: string): string {
    return this.#sign(JSON.stringify([id, action, name]));
  }

  isFormToken(session: Session, given: string | undefined): boolean {
    const [expected, sent] = [Buffer.from(this.formToken(session)), Buffer.from(given ?? "")];
    return expected.length === sent.length && timingSafeEqual(expected, sent);
  }

  #sign(text: string): string {
    return createHmac("sha256", this.#key).update(text).digest("base64url");
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
