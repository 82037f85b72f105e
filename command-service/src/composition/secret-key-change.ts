import type { StateStore } from "@travel-booking/engines/state-store";
import { scanPrefix } from "@travel-booking/engines/state-store/prefix-scan";
import { EngineUnavailable } from "@travel-booking/engines/unavailable";
import { SEALED_TOKENS } from "@travel-booking/payment-gateway";
import { WRAPPED_KEYS } from "@travel-booking/read-models/sealed-words";
import {
  deriveKeys,
  type Logger,
  type Metrics,
  type SealedRecords,
  type SecretKey,
  type Shutdown,
  TextSealer,
  UnsealFailed,
} from "@travel-booking/runtime";
import { backgroundPause } from "@travel-booking/runtime/real-time";
import { SEALED_KEY_CHECK } from "@travel-booking/service-host";
import { SEALED_SECRETS } from "@travel-booking/webhooks/secrets";
import { SEALED_PAYER_TEXTS } from "../payments/payer-texts.ts";

/** In the order of resealing. Answers for an `Idempotency-Key` are left out, because they last a day. */
const SEALED: readonly SealedRecords[] = [
  WRAPPED_KEYS,
  SEALED_SECRETS,
  SEALED_TOKENS,
  SEALED_PAYER_TEXTS,
  SEALED_KEY_CHECK,
];

/** Real time until a state store that was out of reach is tried again. */
const RETRY_MS = 5_000;

interface ChangeOptions {
  readonly state: StateStore;
  /** The keys of personal words. */
  readonly keys: StateStore;
  readonly secretKey: SecretKey;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly shutdown: Shutdown;
}

/**
 * Reseals records of `SECRET_KEY_PREVIOUS`, if that is set, under `SECRET_KEY`, in the background. Returns a function
 * that reports the progress (docs/operations.md#changing-secret_key).
 */
export function changeSecretKey({ state, keys, secretKey, logger, metrics, shutdown }: ChangeOptions) {
  let resealed = 0;
  let done = typeof secretKey === "string";
  metrics.gauge(
    "secret_key_resealed",
    "Records that were sealed anew under SECRET_KEY since the start.",
    () => resealed,
  );
  metrics.gauge("secret_key_change_done", "1: nothing is sealed under SECRET_KEY_PREVIOUS.", () => Number(done));
  const run = async (signal: AbortSignal) => {
    while (!done && !signal.aborted) {
      try {
        for (const records of SEALED) {
          const store = records === WRAPPED_KEYS ? keys : state;
          for await (const _ of resealAll(store, secretKey, records, signal)) resealed += 1;
        }
        if (signal.aborted) return;
        done = true;
        logger.info({ resealed }, "everything is sealed under SECRET_KEY: SECRET_KEY_PREVIOUS can go in a day");
      } catch (error) {
        if (!(error instanceof EngineUnavailable)) throw error;
        await backgroundPause(RETRY_MS, signal);
      }
    }
  };
  if (!done) {
    shutdown.run("change of the secret key", (signal) =>
      run(signal).catch((error: unknown) => {
        logger.error({ err: error, resealed }, "sealing under SECRET_KEY anew has failed: keep SECRET_KEY_PREVIOUS");
      }),
    );
  }
  return async (): Promise<string | undefined> => {
    if (typeof secretKey === "string") return undefined;
    return `${resealed} records sealed anew under SECRET_KEY, ${done ? "no more to come" : "and more to come"}`;
  };
}

/** Yields once per resealed record. A record that is changed meanwhile is skipped, because that change seals it. */
async function* resealAll(
  state: StateStore,
  secretKey: SecretKey,
  { space, purpose, field }: SealedRecords,
  signal: AbortSignal,
): AsyncGenerator<void> {
  const texts = new TextSealer(deriveKeys(secretKey, purpose));
  for await (const { key, value, version, expiresAt } of scanPrefix<unknown>(state, space, "")) {
    if (signal.aborted) return;
    const sealed = field === null ? value : (value as Readonly<Record<string, unknown>>)[field];
    const fresh = typeof sealed === "string" ? reseal(texts, sealed, key) : undefined;
    if (fresh === undefined) continue;
    const changed = field === null ? fresh : { ...(value as object), [field]: fresh };
    if ((await state.replace(space, key, version, changed, { expiresAt })) !== undefined) yield;
  }
}

/** Undefined if there is nothing to do, or the text was sealed under a key that is lost. */
function reseal(texts: TextSealer, sealed: string, key: string): string | undefined {
  try {
    return texts.reseal(sealed, key);
  } catch (error) {
    if (error instanceof UnsealFailed) return undefined;
    throw error;
  }
}
