import { isIP, isIPv6 } from "node:net";
import { isAbsolute, resolve } from "node:path";
import { z } from "zod";
import { secondsOf } from "./duration.ts";
import { LOG_LEVELS } from "./logger.ts";
import { StartupError } from "./startup-error.ts";
import { streamAddress } from "./stream-address.ts";

/** A text that passes `isValid`. `accepts` ends the sentence "it accepts …" of the error message. */
function text(accepts: string, isValid: (text: string) => boolean) {
  return z.string().refine(isValid, { error: accepts });
}

/** A text that error messages must not show. */
function hiddenText(accepts: string, isValid: (text: string) => boolean) {
  return z.string().refine(isValid, { error: accepts, params: { hidden: true } });
}

function wholeNumber(max: number, meaning: string) {
  const accepts = `a whole number from 0 to ${max} (${meaning})`;
  return z
    .string()
    .regex(/^\d{1,15}$/, accepts)
    .transform(Number)
    .pipe(z.number().max(max, accepts));
}

/** The address of a server. It may hold a password. */
function url(...protocols: readonly string[]) {
  const prefixes = protocols.map((protocol) => `${protocol}//`);
  return hiddenText(
    `a URL that begins with ${prefixes.join(" or ")}`,
    (value) => prefixes.some((prefix) => value.startsWith(prefix)) && URL.canParse(value),
  );
}

const CLUSTER_URL = /^(?<scheme>[^:]+:\/\/)(?<user>[^/?#]*@)?(?<hosts>[^/?#]*)(?<rest>.*)$/s;

/** The addresses of a server or of a cluster's members, which are no standard URL. They may hold a password. */
function clusterUrl(...protocols: readonly string[]) {
  const prefixes = protocols.map((protocol) => `${protocol}//`);
  return hiddenText(
    `a URL that begins with ${prefixes.join(" or ")}, then one host:port or several with commas`,
    (value) => {
      const { scheme = "", user = "", hosts = "", rest } = CLUSTER_URL.exec(value)?.groups ?? {};
      const isHost = (host: string) => host !== "" && URL.canParse(`${scheme}${user}${host}${rest}`);
      return prefixes.includes(scheme) && hosts.split(",").every(isHost);
    },
  );
}

const flag = z.stringbool({ truthy: ["true"], falsy: ["false"], case: "sensitive", error: "true or false" });
const port = wholeNumber(65_535, "0: any free port");

const quota = wholeNumber(1_000_000_000, "0: no bound");

const MIN_SECRET = 32;
const SECRET = `at least ${MIN_SECRET} visible ASCII characters`;
const secret = hiddenText(SECRET, (value) => value.length >= MIN_SECRET && /^[\x21-\x7e]+$/.test(value));

const HOST_NAME = /^(?=.{1,253}$)(?:(?!-)[A-Za-z0-9-]{1,63}(?<!-)\.)*(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/;
/** Only digits and dots: a mistyped address, not a name. */
const NUMERIC = /^[\d.]+$/;
const host = text(
  "an IP address or a host name",
  (value) => isIP(value) !== 0 || (HOST_NAME.test(value) && !NUMERIC.test(value)),
);

const listOf = (value: string): readonly string[] => value.split(",").map((part) => part.trim());
const addresses = text("IP addresses or subnets such as 10.0.0.0/8, separated by commas", (value) =>
  listOf(value).every(isAddressOrSubnet),
).transform(listOf);

function isAddressOrSubnet(value: string): boolean {
  const [address = "", length, ...rest] = value.split("/");
  if (isIP(address) === 0 || rest.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (isIPv6(address) ? 128 : 32));
}

const origins = text("origins such as https://shop.example.com, as browsers send them, separated by commas", (value) =>
  listOf(value).every((part) => /^https?:/.test(part) && URL.canParse(part) && new URL(part).origin === part),
).transform(listOf);

const RATE = /^[A-Z]{3}=\d{1,3}(?:\.\d{1,3})?$/;
const loyaltyRates = text(
  "currencies with points below 1000, each once and with at most three decimals, such as USD=1,JPY=0.01",
  (value) => listOf(value).every((rate) => RATE.test(rate)) && ratesOf(value).size === listOf(value).length,
).transform(ratesOf);

function ratesOf(value: string): ReadonlyMap<string, number> {
  return new Map(listOf(value).map((rate) => [rate.slice(0, 3), Number(rate.slice(4))]));
}

const ports = text("ports from 1 to 1023, separated by commas", (value) =>
  listOf(value).every((part) => /^[1-9]\d{0,3}$/.test(part) && Number(part) < 1_024),
).transform((value) => listOf(value).map(Number));

const program = text(
  "the absolute path of a program, or none",
  (value) => value === "none" || (isAbsolute(value) && !value.includes("\0")),
);
const stream = text("unix:/path of a socket, or tcp://host:port", (value) => streamAddress(value) !== undefined);
const folder = text("the path of a folder", (value) => !value.includes("\0") && value.trim() !== "");

/** As seconds. */
const duration = text("how long, such as 30m, 6h or 1d", (value) => /^[1-9]\d{0,4}[mhd]$/.test(value)).transform(
  (value) => secondsOf(value) ?? 0,
);

/** One setting: its environment variable, and how the variable's text becomes a value. */
function setting<Schema extends z.ZodType>(variable: string, schema: Schema) {
  return { variable, schema };
}

/** How the service runs (docs/settings.md). */
const SETTINGS = {
  /** 0: any free port. */
  port: setting("PORT", port.default(3000)),
  host: setting("HOST", host.default("127.0.0.1")),
  /** Addresses and subnets whose `X-Forwarded-For` is believed. */
  trustedProxies: setting("TRUSTED_PROXIES", addresses.default([])),
  /** Origins whose pages may send requests with access tokens and read the responses. */
  corsOrigins: setting("CORS_ORIGINS", origins.default([])),
  /** Undefined: created at first start and stored in `dataDir`. */
  secretKey: setting("SECRET_KEY", secret.optional()),
  /** The key that `SECRET_KEY` replaces. What was made with it stays valid. */
  secretKeyPrevious: setting("SECRET_KEY_PREVIOUS", secret.optional()),
  /** `unsealing`: the previous key only opens stored seals. Nothing else that was made with it is accepted. */
  secretKeyPreviousFor: setting(
    "SECRET_KEY_PREVIOUS_FOR",
    z.enum(["everything", "unsealing"], "everything or unsealing").default("everything"),
  ),
  /** True if the previous key is lost. Everything sealed under it is given up. */
  secretKeyIsNew: setting("SECRET_KEY_IS_NEW", flag.default(false)),
  operatorPort: setting("OPERATOR_PORT", port.default(3001)),
  operatorHost: setting("OPERATOR_HOST", host.default("127.0.0.1")),
  /** Undefined: created at first start and stored in `dataDir`. */
  operatorToken: setting("OPERATOR_TOKEN", secret.optional()),
  /** The operator interface that the operator's page uses; undefined: the one of this process. */
  operatorUrl: setting("OPERATOR_URL", url("http:", "https:").optional()),
  /** Addresses and subnets that may read `/metrics` of the operator port without the token. */
  metricsAllow: setting("METRICS_ALLOW", addresses.default(["127.0.0.1", "::1"])),
  /** Absolute. */
  dataDir: setting(
    "DATA_DIR",
    folder.default("./data").transform((path) => resolve(path)),
  ),
  /** Below so many free megabytes of the data folder's file system uploads are refused; below a quarter, all writes. */
  diskReserveMb: setting("DISK_RESERVE_MB", wholeNumber(1_000_000_000, "0: none is kept").default(512)),
  /** Undefined: embedded. */
  eventStoreUrl: setting(
    "EVENT_STORE_URL",
    clusterUrl("esdb:", "esdb+discover:", "kurrentdb:", "kurrentdb+discover:").optional(),
  ),
  /** Undefined: embedded. */
  mongodbUrl: setting("MONGODB_URL", clusterUrl("mongodb:", "mongodb+srv:").optional()),
  /** Undefined: embedded. */
  redisUrl: setting("REDIS_URL", url("redis:", "rediss:").optional()),
  /** The command-service that a separate query-service calls for data that no read model has. */
  commandServiceUrl: setting("COMMAND_SERVICE_URL", url("http:", "https:").optional()),
  /** The browser that prints boarding passes; `none`: nothing is printed. Undefined: the service looks for one. */
  browserPath: setting("BROWSER_PATH", program.optional()),
  /** False: the browser runs without its sandbox, as in containers that do not allow one. */
  browserSandbox: setting("BROWSER_SANDBOX", flag.default(true)),
  /** Where documents are read (`streamAddress`). Undefined: in processes that the service starts. */
  documentReaderUrl: setting("DOCUMENT_READER_URL", stream.optional()),
  /** Where boarding passes are drawn. Undefined: in a process that the service starts. */
  boardingPassPrinterUrl: setting("BOARDING_PASS_PRINTER_URL", stream.optional()),
  /** Where a separate reader or printer accepts connections. */
  listen: setting("LISTEN", stream.optional()),
  /** 0: nothing is limited. */
  rateLimitPerMinute: setting("RATE_LIMIT_PER_MINUTE", wholeNumber(1_000_000_000, "0: no limit").default(60)),
  /** Percent of the seats of a flight's cabin. 100: no limit. */
  quotaUnpaidSeatsPercent: setting("QUOTA_UNPAID_SEATS_PERCENT", wholeNumber(100, "100: no bound").default(20)),
  /** Limits of one account, as are all below. 0: no limit. */
  quotaOpenHolds: setting("QUOTA_OPEN_HOLDS", quota.default(500)),
  quotaPassengers: setting("QUOTA_PASSENGERS", quota.default(100_000)),
  quotaDocuments: setting("QUOTA_DOCUMENTS", quota.default(2_000)),
  quotaDocumentsMb: setting("QUOTA_DOCUMENTS_MB", quota.default(1_024)),
  /** Points per whole unit paid, by currency. */
  loyaltyRates: setting("LOYALTY_RATES", loyaltyRates.prefault("USD=1,EUR=1,GBP=1")),
  /** Seconds: a flight that departs more than this earlier is changed significantly. */
  disruptionEarlier: setting("DISRUPTION_EARLIER", duration.prefault("1h")),
  /** Seconds: so is one that departs or arrives this much later, or more. */
  disruptionLater: setting("DISRUPTION_LATER", duration.prefault("3h")),
  webhookAllowPrivateTargets: setting("WEBHOOK_ALLOW_PRIVATE_TARGETS", flag.default(false)),
  /** Ports of webhook endpoints, besides 443, 80 and those above 1023. */
  webhookPorts: setting("WEBHOOK_PORTS", ports.default([])),
  sandboxClock: setting("SANDBOX_CLOCK", flag.default(false)),
  /** Nothing that is stored changes: no write, no timer, no webhook, no payment. */
  readOnly: setting("READ_ONLY", flag.default(false)),
  /** The folder of scheduled backups; undefined: none are made. */
  backupTo: setting("BACKUP_TO", folder.transform((path) => resolve(path)).optional()),
  /** Seconds from one to the next. */
  backupEvery: setting("BACKUP_EVERY", duration.prefault("1d")),
  /** How many that were verified are kept. */
  backupKeep: setting("BACKUP_KEEP", wholeNumber(10_000, "at least one is kept").pipe(z.number().min(1)).default(7)),
  /** Seconds that a booking's people are kept after it is flown or cancelled; undefined: until they are erased. */
  retentionBookings: setting("RETENTION_BOOKINGS", duration.optional()),
  /** The same of the files of its documents and what was read in them. */
  retentionDocuments: setting("RETENTION_DOCUMENTS", duration.optional()),
  /** Seconds that a saved passenger is kept after it was last changed, or booked for; undefined: until it is erased. */
  retentionPassengers: setting("RETENTION_PASSENGERS", duration.optional()),
  /** Undefined: true only while nothing is stored yet. */
  demo: setting("DEMO", flag.optional()),
  /** How long a start waits for the servers it needs. */
  startTimeoutSeconds: setting("START_TIMEOUT_SECONDS", wholeNumber(86_400, "0: it does not wait").default(30)),
  /** Seconds without progress after which a stalled event loop ends the process; 0: never. */
  watchdogSeconds: setting("WATCHDOG_SECONDS", wholeNumber(86_400, "0: off").default(30)),
  logLevel: setting("LOG_LEVEL", z.enum(LOG_LEVELS, `one of ${LOG_LEVELS.join(", ")}`).default("info")),
};

export type Settings = { readonly [Field in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[Field]["schema"]> };

/**
 * Reads the settings from environment variables. An empty variable counts as unset.
 * @throws SettingsError names every variable that is wrong.
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const problems: SettingError[] = [];
  const read = ({ variable, schema }: { readonly variable: string; readonly schema: z.ZodType }): unknown => {
    const given = environment[variable] || undefined;
    const parsed = schema.safeParse(given);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      const hidden = issue.code === "custom" && issue.params?.hidden === true;
      problems.push(new SettingError(variable, hidden ? null : String(given), issue.message));
    }
    return undefined;
  };
  const fields = Object.entries(SETTINGS).map(([field, how]) => [field, read(how)]);
  const settings = Object.fromEntries(fields) as Settings;
  // Instances that share engines must share the key. A key that one of them makes is unknown to the others.
  if (isDistributed(settings) && !environment.SECRET_KEY) {
    problems.push(new SettingError("SECRET_KEY", "", `${SECRET}, and is required with servers of their own`));
  }
  const embeddedOnly = { READ_ONLY: settings.readOnly || undefined, BACKUP_TO: settings.backupTo };
  for (const [variable, value] of Object.entries(embeddedOnly)) {
    if (value !== undefined && isDistributed(settings))
      problems.push(
        new SettingError(variable, String(value), "a value only where all is stored in DATA_DIR, without servers"),
      );
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
}

/** Variables whose value is never shown. */
const SECRETS: ReadonlySet<string> = new Set(["SECRET_KEY", "SECRET_KEY_PREVIOUS", "OPERATOR_TOKEN"]);

/** Settings by variable, as an operator may see them: of a secret only whether it is set, of an address no password. */
export function shownSettings(settings: Settings): Readonly<Record<string, string>> {
  const entries = Object.entries(SETTINGS).map(([field, { variable }]) => {
    const value = settings[field as keyof Settings];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return [variable, ""];
    if (SECRETS.has(variable)) return [variable, "(set)"];
    const text = value instanceof Map ? [...value].map(([name, of]) => `${name}=${of}`).join(",") : String(value);
    return [variable, withoutPasswords(text)];
  });
  return Object.fromEntries(entries);
}

/** Hides all up to the last `@`, because a password may hold `@` and `/` unescaped, and secrets among the options. */
function withoutPasswords(address: string): string {
  return address
    .replace(/(?<=:\/\/).*@/s, "(hidden)@")
    .replace(/(?<=[?&][^=&]*(?:password|token|properties)[^=&]*=)[^&]+/gi, "(hidden)");
}

/** Whether any engine is a separate server. */
export function isDistributed(settings: Pick<Settings, "eventStoreUrl" | "mongodbUrl" | "redisUrl">): boolean {
  return (settings.eventStoreUrl ?? settings.mongodbUrl ?? settings.redisUrl) !== undefined;
}

/** One setting that cannot be used. The message is one line for the operator. */
export class SettingError extends Error {
  override readonly name = "SettingError";
  readonly variable: string;

  /** `got` is null for a value that must not be shown. */
  constructor(variable: string, got: string | null, accepts: string) {
    super(`${variable} ${got === null ? "is not usable" : `is ${shown(got)}`}: it accepts ${accepts}`);
    this.variable = variable;
  }
}

/** All settings that cannot be used; the message has one line for each. */
export class SettingsError extends StartupError {
  override readonly name = "SettingsError";
  readonly problems: readonly SettingError[];

  constructor(problems: readonly SettingError[]) {
    super(problems.map((problem) => problem.message).join("\n"));
    this.problems = problems;
  }
}

const MAX_SHOWN = 100;

/** As a JSON string, so that the message stays one line whatever was given. */
function shown(value: string): string {
  return JSON.stringify(value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value);
}
