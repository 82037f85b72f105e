import { createHmac } from "node:crypto";
import type { StateStore } from "@travel-booking/engines/state-store";
import { type Clock, type CommandIdGenerator, deriveKeys, type SecretKey, TextSealer } from "@travel-booking/runtime";
import type { Execute } from "./idempotency/command-attempt.ts";
import { fingerprintOf, Idempotency } from "./idempotency/idempotency.ts";
import type { ApiResponse, CommandIdentity } from "./route.ts";

/** Stands for an account where keys are kept; no account has this id. */
const OPERATORS = "operator";

interface OperatorCommandsOptions {
  readonly state: StateStore;
  readonly clock: Clock;
  readonly commandIds: CommandIdGenerator;
  /** As in `IdempotencyOptions`. */
  readonly holder: string | null;
  readonly secretKey: SecretKey;
}

interface AskedOfOperators {
  readonly method: string;
  /** The path of the route, with its parameters' names. */
  readonly route: string;
  /** The path that was asked for. */
  readonly path: string;
  readonly body: unknown;
}

/** Runs the commands of operators, each once per `Idempotency-Key` (docs/rules.md#operator-interface). */
export class OperatorCommands {
  readonly #idempotency: Idempotency;
  readonly #commandIds: CommandIdGenerator;
  readonly #secretKey: SecretKey;

  constructor({ state: store, clock, commandIds, holder, secretKey }: OperatorCommandsOptions) {
    // A repeated request waits for the first one, which may take any time.
    this.#idempotency = new Idempotency({ store, clock, commandIds, holder, maxWaitMs: Number.POSITIVE_INFINITY });
    this.#commandIds = commandIds;
    this.#secretKey = secretKey;
  }

  newCommand(): CommandIdentity {
    return { commandId: this.#commandIds.next(), repeated: false, mayHaveActed: false };
  }

  /**
   * @param key undefined: the request is a command of its own.
   * @throws StateStoreUnavailable nothing was done.
   */
  async run(key: string | undefined, asked: AskedOfOperators, execute: Execute): Promise<ApiResponse> {
    if (key === undefined) return execute(this.newCommand());
    const { method, route, path, body } = asked;
    const operationId = `${method} ${route}`;
    // Answers may hold secrets. Without the key itself, of which only the hash is stored, nobody can read them.
    const keys = deriveKeys(this.#secretKey, `operator-commands ${key}`);
    const sealer = new TextSealer(keys);
    const plain = fingerprintOf(method, path, body);
    const [fingerprint = "", formerFingerprint] = keys.map((each) =>
      createHmac("sha256", each ?? "")
        .update(plain)
        .digest("base64url"),
    );
    return this.#idempotency.run(
      {
        accountId: OPERATORS,
        operationId,
        key,
        fingerprint,
        ...(formerFingerprint !== undefined && { formerFingerprint }),
        sealer: {
          sealAnswer: (text) => sealer.seal(text, operationId),
          openAnswer: (text) => sealer.unseal(text, operationId),
        },
      },
      execute,
    );
  }
}
