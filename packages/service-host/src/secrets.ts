import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadOrCreateSecret, type Settings } from "@travel-booking/runtime";
import { StartupError } from "./main/startup-error.ts";

export interface Secrets {
  readonly secretKey: string;
  /** It was made at this start: what is stored, if anything, is a copy that came without its key. */
  readonly secretKeyIsGenerated: boolean;
  readonly operatorToken: string;
}

/**
 * The secrets of the settings, or those made at the first start and kept in the data folder.
 * @throws StartUpFault a file of one can't be read, or is empty.
 */
export function secretsOf({ dataDir, secretKey, operatorToken }: Settings): Secrets {
  const keyFile = join(dataDir, "secret-key");
  const secretKeyIsMade = secretKey === undefined && !existsSync(keyFile);
  return {
    secretKeyIsGenerated: secretKeyIsMade,
    secretKey: secretKey ?? loadOrCreate(keyFile),
    operatorToken: operatorToken ?? loadOrCreate(join(dataDir, "operator-token")),
  };
}

function loadOrCreate(file: string): string {
  try {
    return loadOrCreateSecret(file);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const line =
      code === undefined ? message : `${file} can't be read (${code}): mend that, or remove it to have another made`;
    throw new StartupError(line, { cause });
  }
}
