import { SettingError, type Settings, SettingsError } from "@travel-booking/runtime";

/** What a service that runs beside others must be told: every engine is a server they share, and so are the secrets. */
const REQUIRED = {
  eventStoreUrl: ["EVENT_STORE_URL", "the address of a server: only npm start has embedded engines"],
  mongodbUrl: ["MONGODB_URL", "the address of a server: only npm start has embedded engines"],
  redisUrl: ["REDIS_URL", "the address of a server: only npm start has embedded engines"],
  secretKey: ["SECRET_KEY", "at least 32 visible ASCII characters, the same for all services"],
  operatorToken: ["OPERATOR_TOKEN", "at least 32 visible ASCII characters, the same for all instances"],
  commandServiceUrl: ["COMMAND_SERVICE_URL", "the address of a command-service"],
} as const;

type Requirable = keyof typeof REQUIRED;

/** The settings, in which these are there. */
export type SettingsWith<Needed extends Requirable> = Settings & { readonly [Name in Needed]: string };

/**
 * The settings of a service that needs these.
 * @throws SettingsError names every one that is missing.
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
