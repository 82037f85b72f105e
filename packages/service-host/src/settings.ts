import { join } from "node:path";
import { loadOrCreateSecret, SettingError, type Settings, SettingsError, StartupError } from "@travel-booking/runtime";
import { isThere } from "@travel-booking/runtime/durable-files";

/** Settings that only `npm start` can do without, because distributed services share their engines and secrets. */
const REQUIRED = {
  eventStoreUrl: ["EVENT_STORE_URL", "the address of a server: only npm start has embedded engines"],
  mongodbUrl: ["MONGODB_URL", "the address of a server: only npm start has embedded engines"],
  redisUrl: ["REDIS_URL", "the address of a server: only npm start has embedded engines"],
  secretKey: ["SECRET_KEY", "at least 32 visible ASCII characters, the same for all services"],
  operatorToken: ["OPERATOR_TOKEN", "at least 32 visible ASCII characters, the same for all instances"],
  commandServiceUrl: ["COMMAND_SERVICE_URL", "the address of a command-service"],
} as const;

type Requirable = keyof typeof REQUIRED;

/** Settings in which these are present. */
export type SettingsWith<Needed extends Requirable> = Settings & { readonly [Name in Needed]: string };

/**
 * Returns the settings if all that the service needs are present.
 * @throws SettingsError names every missing setting.
 */
export function requireSettings<Needed extends Requirable>(
  settings: Settings,
  ...needed: readonly Needed[]
): SettingsWith<Needed> {
  const missing = needed.filter((name) => settings[name] === undefined);
  if (missing.length === 0) return settings as SettingsWith<Needed>;
  throw new SettingsError(
    missing.map((name) => {
      const [variable, accepts] = REQUIRED[name];
      return new SettingError(variable, "", accepts);
    }),
  );
}

export interface Secrets {
  /** The secret key as it was given (`openSecretKeys`). */
  readonly secretKey: string;
  /** True: the key was generated at this start. If data is stored already, it is a copy that came without its key. */
  readonly secretKeyIsGenerated: boolean;
  readonly operatorToken: string;
}

/**
 * The secrets of the settings, or those that the first start generated in the data folder.
 * @throws StartupError the file of a secret can't be read, or is empty.
 */
export function secretsOf({ dataDir, secretKey, operatorToken, readOnly }: Settings): Secrets {
  const keyFile = join(dataDir, "secret-key");
  if (readOnly && secretKey === undefined && !isThere(keyFile))
    throw new StartupError(`READ_ONLY makes no key: what is stored is read with SECRET_KEY, or with ${keyFile}`);
  return {
    secretKeyIsGenerated: secretKey === undefined && !isThere(keyFile),
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
