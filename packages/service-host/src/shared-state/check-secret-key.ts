import type { StateStore } from "@travel-booking/engines/state-store";
import { deriveKey, type Settings, TextSealer, UnsealFailed } from "@travel-booking/runtime";
import { StartupError } from "../main/startup-error.ts";

const SPACE = "secret-key-check";
const KEY = "sealed";
const TEXT = "stored under this key";

/**
 * Sees to it that a service starts with the secret key that what is stored was sealed under: with another it would
 * look healthy and deliver no webhook. The first start leaves a record under its key, and all others look at that.
 * Answers whether what is stored was sealed under another key, and this one takes its place.
 * @throws StartUpFault it is another key, and not said to be a new one.
 */
export async function checkSecretKey(
  state: Pick<StateStore, "create" | "put">,
  secretKey: string,
  { secretKeyIsNew }: Pick<Settings, "secretKeyIsNew">,
): Promise<boolean> {
  const texts = new TextSealer(deriveKey(secretKey, SPACE));
  const { record } = await state.create(SPACE, KEY, texts.seal(TEXT, KEY));
  try {
    texts.unseal(record.value, KEY);
    return false;
  } catch (cause) {
    if (!(cause instanceof UnsealFailed)) throw cause;
    if (!secretKeyIsNew) throw new StartupError(WRONG_KEY, { cause });
    await state.put(SPACE, KEY, texts.seal(TEXT, KEY));
    return true;
  }
}

const WRONG_KEY =
  "SECRET_KEY is not the one that what is stored was sealed under: start with that one " +
  "(where it was not set, it is in the file secret-key of DATA_DIR); if it is lost, start once with " +
  "SECRET_KEY_IS_NEW=true, and create all webhook endpoints anew";
