import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Logger } from "@travel-booking/runtime";
import { addressPrefix, type ClientAddressResolver } from "../rate-limit.ts";
import { hashSecret } from "./secret.ts";

/** Of one address in a minute; then no token is tried. */
const MOST = 10;
const WINDOW_MS = 60_000;

export interface WrongTokensOptions {
  readonly addresses: Pick<ClientAddressResolver, "resolve">;
  readonly logger: Pick<Logger, "warn">;
  /** Milliseconds since the epoch; for tests. */
  readonly now?: (() => number) | undefined;
}

/**
 * Counts wrong tokens of operators by client address, in minutes of real time, and logs them: whoever guesses is slow. Each instance
 * counts its own.
 */
export class WrongTokens {
  readonly #addresses: WrongTokensOptions["addresses"];
  readonly #logger: WrongTokensOptions["logger"];
  readonly #now: () => number;
  #window = 0;
  /** By address, what was tried: each time at the page, at the interface each token. */
  #failures = new Map<string, Set<string>>();

  constructor({ addresses, logger, now = Date.now }: WrongTokensOptions) {
    this.#addresses = addresses;
    this.#logger = logger;
    this.#now = now;
  }

  /** Seconds until a token of this client's address is tried again; undefined: now. */
  pauseFor(request: IncomingMessage): number | undefined {
    this.#forgetOthers();
    if ((this.#failures.get(this.#addressOf(request))?.size ?? 0) < MOST) return undefined;
    return Math.ceil(((this.#window + 1) * WINDOW_MS - this.#now()) / 1_000);
  }

  /**
   * @param what has failed, for the log.
   * @param token counts once: a program that has a stale one, and sends it again and again, guesses nothing. Absent: it counts.
   */
  count(request: IncomingMessage, what: string, token: string = randomUUID()): void {
    this.#forgetOthers();
    const address = this.#addressOf(request);
    const tried = this.#failures.get(address) ?? new Set();
    const hash = hashSecret(token);
    if (tried.has(hash)) return;
    this.#failures.set(address, tried.add(hash));
    this.#logger.warn({ address }, what);
  }

  #addressOf(request: IncomingMessage): string {
    return addressPrefix(this.#addresses.resolve(request));
  }

  #forgetOthers(): void {
    const window = Math.floor(this.#now() / WINDOW_MS);
    if (window === this.#window) return;
    this.#window = window;
    this.#failures = new Map();
  }
}
