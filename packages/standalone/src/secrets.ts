import { join } from "node:path";
import { keptSecret, type Settings } from "@travel-booking/runtime";

export interface Secrets {
  readonly secretKey: string;
  readonly operatorToken: string;
}

/** The secrets of the settings, or those made at the first start and kept in the data folder. */
export function secretsOf({ dataDir, secretKey, operatorToken }: Settings): Secrets {
  return {
    secretKey: secretKey ?? keptSecret(join(dataDir, "secret-key")),
    operatorToken: operatorToken ?? keptSecret(join(dataDir, "operator-token")),
  };
}
