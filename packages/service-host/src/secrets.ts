import { existsSync } from "node:fs";
import { join } from "node:path";
import { keptSecret, type Settings } from "@travel-booking/runtime";
import { StartUpFault } from "./main/start-up-fault.ts";

export interface Secrets {
  readonly secretKey: string;
  /** It was made at this start: what is stored, if anything, is a copy that came without its key. */
  readonly secretKeyIsMade: boolean;
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
    secretKeyIsMade,
    secretKey: secretKey ?? kept(keyFile),
    operatorToken: operatorToken ?? kept(join(dataDir, "operator-token")),
  };
}

function kept(file: string): string {
  try {
    return keptSecret(file);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const line =
      code === undefined ? message : `${file} can't be read (${code}): mend that, or remove it to have another made`;
    throw new StartUpFault(line, { cause });
  }
}
