import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Logger } from "@travel-booking/runtime";
import { addressPrefix, type ClientAddressResolver } from "../rate-limit.ts";
import { hashSecret } from "./secret.ts";

/** After so many wrong tokens in a minute, none from that address is tried. */
const MOST = 10;
const WINDOW_MS = 60_000;

export interface WrongTokensOptions {
  readonly addresses: Pick<ClientAddressResolver, "resolve">;
  readonly logger: Pick<Logger, "warn">;
  /** Milliseconds since the epoch; for tests. */
  readonly now?: (() => number) | undefined;
}

/**
 * Counts wrong operator tokens by client address, in minutes of real time, and logs them, so that guessing is slow.
 * Each instance counts its own.
 */
export class WrongTokens {
  readonly #addresses: WrongTokensOptions["addresses"];
  readonly #logger: WrongTokensOptions["logger"];
  readonly #now: () => number;
  #window = 0;
  /** By address, hashes of what was tried. Each try at the page counts; at the interface, each different token. */
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
   * @param token counts once: a program that keeps sending a stale token guesses nothing. Absent: each call counts.
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
