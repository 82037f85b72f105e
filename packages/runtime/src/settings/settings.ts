import { resolve } from "node:path";
import { LOG_LEVELS, type LogLevel } from "../logging/logger.ts";
import { SettingError, SettingsError } from "./setting-error.ts";
import {
  addresses,
  flag,
  folder,
  host,
  oneOf,
  program,
  type SettingParser,
  secret,
  url,
  wholeNumber,
} from "./setting-parsers.ts";

/** How the service runs (README.md#settings). */
export interface Settings {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Addresses and subnets whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** Undefined: made at first start and kept in `dataDir`. */
  readonly secretKey: string | undefined;
  /** The one before is lost: what was sealed under it is given up. */
  readonly secretKeyIsNew: boolean;
  readonly operatorPort: number;
  readonly operatorHost: string;
  /** Undefined: made at first start and kept in `dataDir`. */
  readonly operatorToken: string | undefined;
  /** Absolute. */
  readonly dataDir: string;
  /** Undefined: embedded. */
  readonly eventStoreUrl: string | undefined;
  /** Undefined: embedded. */
  readonly mongodbUrl: string | undefined;
  /** Undefined: embedded. */
  readonly redisUrl: string | undefined;
  /** Where a query-service of its own asks what no read model knows. */
  readonly commandServiceUrl: string | undefined;
  /** The browser that prints boarding passes; `none`: nothing is printed. Undefined: one is looked for. */
  readonly browserPath: string | undefined;
  /** False: the browser runs without a sandbox of its own, as in containers that allow it none. */
  readonly browserSandbox: boolean;
  /** 0: no limit of any kind. */
  readonly rateLimitPerMinute: number;
  readonly webhookAllowPrivateTargets: boolean;
  readonly sandboxClock: boolean;
  /** Undefined: where nothing is stored yet. */
  readonly demo: boolean | undefined;
  readonly logLevel: LogLevel;
}

const PORT = wholeNumber(0, 65_535, " (0: any free port)");
const MAX_PER_MINUTE = 1_000_000_000;

/**
 * Reads the settings from environment variables. An empty variable counts as unset.
 * @throws SettingsError names every variable that is wrong.
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const problems: SettingError[] = [];

  function read<Parsed, Default>(variable: string, value: SettingParser<Parsed>, otherwise: Default): Parsed | Default {
    const text = environment[variable];
    if (text === undefined || text === "") return otherwise;
    const parsed = value.parse(text);
    if (parsed !== undefined) return parsed;
    problems.push(new SettingError(variable, value.secret === true ? null : text, value.accepts));
    return otherwise;
  }

  const settings: Settings = {
    port: read("PORT", PORT, 3000),
    host: read("HOST", host, "127.0.0.1"),
    trustedProxies: read("TRUSTED_PROXIES", addresses, []),
    secretKey: read("SECRET_KEY", secret, undefined),
    secretKeyIsNew: read("SECRET_KEY_IS_NEW", flag, false),
    operatorPort: read("OPERATOR_PORT", PORT, 3001),
    operatorHost: read("OPERATOR_HOST", host, "127.0.0.1"),
    operatorToken: read("OPERATOR_TOKEN", secret, undefined),
    dataDir: resolve(read("DATA_DIR", folder, "./data")),
    eventStoreUrl: read(
      "EVENT_STORE_URL",
      url("esdb:", "esdb+discover:", "kurrentdb:", "kurrentdb+discover:"),
      undefined,
    ),
    mongodbUrl: read("MONGODB_URL", url("mongodb:", "mongodb+srv:"), undefined),
    redisUrl: read("REDIS_URL", url("redis:", "rediss:"), undefined),
    commandServiceUrl: read("COMMAND_SERVICE_URL", url("http:", "https:"), undefined),
    browserPath: read("BROWSER_PATH", program, undefined),
    browserSandbox: read("BROWSER_SANDBOX", flag, true),
    rateLimitPerMinute: read("RATE_LIMIT_PER_MINUTE", wholeNumber(0, MAX_PER_MINUTE, " (0: no limit)"), 60),
    webhookAllowPrivateTargets: read("WEBHOOK_ALLOW_PRIVATE_TARGETS", flag, false),
    sandboxClock: read("SANDBOX_CLOCK", flag, false),
    demo: read("DEMO", flag, undefined),
    logLevel: read("LOG_LEVEL", oneOf(LOG_LEVELS), "info"),
  };
  // Instances that share engines must share the key, and a key made by one of them would be known to it alone.
  if (isDistributed(settings) && (environment.SECRET_KEY ?? "") === "") {
    problems.push(new SettingError("SECRET_KEY", "", `${secret.accepts}, and is required with servers of their own`));
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
}

/** Whether any engine is a server of its own. */
export function isDistributed(settings: Pick<Settings, "eventStoreUrl" | "mongodbUrl" | "redisUrl">): boolean {
  return (settings.eventStoreUrl ?? settings.mongodbUrl ?? settings.redisUrl) !== undefined;
}
