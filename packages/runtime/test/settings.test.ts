import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { readSettings, SettingsError, shownSettings } from "@travel-booking/runtime";

const SECRET = "s".repeat(32);
const OTHER_SECRET = "o".repeat(32);

test("without any variable the embedded profile runs", () => {
  expect(readSettings({})).toStrictEqual({
    port: 3000,
    host: "127.0.0.1",
    trustedProxies: [],
    corsOrigins: [],
    secretKey: undefined,
    secretKeyPrevious: undefined,
    secretKeyPreviousFor: "everything",
    operatorPort: 3001,
    operatorHost: "127.0.0.1",
    operatorToken: undefined,
    operatorUrl: undefined,
    metricsAllow: ["127.0.0.1", "::1"],
    dataDir: path.resolve("data"),
    diskReserveMb: 512,
    eventStoreUrl: undefined,
    mongodbUrl: undefined,
    redisUrl: undefined,
    commandServiceUrl: undefined,
    browserPath: undefined,
    browserSandbox: true,
    documentReaderUrl: undefined,
    boardingPassPrinterUrl: undefined,
    listen: undefined,
    rateLimitPerMinute: 60,
    quotaUnpaidSeatsPercent: 20,
    quotaOpenHolds: 500,
    quotaPassengers: 100_000,
    quotaDocuments: 2_000,
    quotaDocumentsMb: 1_024,
    loyaltyRates: new Map([
      ["USD", 1],
      ["EUR", 1],
      ["GBP", 1],
    ]),
    secretKeyIsNew: false,
    disruptionEarlier: 3_600,
    disruptionLater: 10_800,
    webhookAllowPrivateTargets: false,
    webhookPorts: [],
    sandboxClock: false,
    readOnly: false,
    backupTo: undefined,
    backupEvery: 86_400,
    backupKeep: 7,
    retentionBookings: undefined,
    retentionDocuments: undefined,
    retentionPassengers: undefined,
    demo: undefined,
    startTimeoutSeconds: 30,
    watchdogSeconds: 30,
    logLevel: "info",
  });
  expect(readSettings({ PORT: "", SECRET_KEY: "" })).toStrictEqual(readSettings({}));
});

test("every variable is read", () => {
  expect(
    readSettings({
      PORT: "0",
      HOST: "::1",
      TRUSTED_PROXIES: "10.0.0.0/8, ::1,192.0.2.1",
      CORS_ORIGINS: "https://shop.example.com, http://localhost:5173",
      SECRET_KEY: SECRET,
      SECRET_KEY_PREVIOUS: OTHER_SECRET,
      SECRET_KEY_PREVIOUS_FOR: "unsealing",
      SECRET_KEY_IS_NEW: "true",
      OPERATOR_PORT: "65535",
      OPERATOR_HOST: "operator.internal",
      OPERATOR_TOKEN: SECRET,
      OPERATOR_URL: "http://proxy:8081",
      METRICS_ALLOW: "10.0.0.0/8,fd00::/8",
      DATA_DIR: "/var/data",
      DISK_RESERVE_MB: "0",
      EVENT_STORE_URL: "esdb://log1:2113,log2:2113,log3:2113?tls=false",
      MONGODB_URL: "mongodb://u:p,w@db1:27017,db2:27017/travel",
      REDIS_URL: "rediss://cache:6379",
      COMMAND_SERVICE_URL: "http://commands:3000",
      BROWSER_PATH: "/usr/bin/chromium",
      BROWSER_SANDBOX: "false",
      DOCUMENT_READER_URL: "unix:/run/reader/reader.sock",
      BOARDING_PASS_PRINTER_URL: "tcp://printer:7002",
      LISTEN: "tcp://0.0.0.0:7001",
      RATE_LIMIT_PER_MINUTE: "0",
      QUOTA_UNPAID_SEATS_PERCENT: "100",
      QUOTA_OPEN_HOLDS: "0",
      QUOTA_PASSENGERS: "1",
      QUOTA_DOCUMENTS: "2",
      QUOTA_DOCUMENTS_MB: "3",
      LOYALTY_RATES: "USD=1.5, JPY=0.01,KWD=0",
      DISRUPTION_EARLIER: "30m",
      DISRUPTION_LATER: "2h",
      WEBHOOK_ALLOW_PRIVATE_TARGETS: "true",
      WEBHOOK_PORTS: "587, 1023",
      SANDBOX_CLOCK: "true",
      READ_ONLY: "false",
      BACKUP_EVERY: "6h",
      BACKUP_KEEP: "3",
      RETENTION_BOOKINGS: "90d",
      RETENTION_DOCUMENTS: "30d",
      RETENTION_PASSENGERS: "400d",
      DEMO: "false",
      START_TIMEOUT_SECONDS: "60",
      WATCHDOG_SECONDS: "0",
      LOG_LEVEL: "debug",
    }),
  ).toStrictEqual({
    port: 0,
    host: "::1",
    trustedProxies: ["10.0.0.0/8", "::1", "192.0.2.1"],
    corsOrigins: ["https://shop.example.com", "http://localhost:5173"],
    secretKey: SECRET,
    secretKeyPrevious: OTHER_SECRET,
    secretKeyPreviousFor: "unsealing",
    operatorPort: 65_535,
    operatorHost: "operator.internal",
    operatorToken: SECRET,
    operatorUrl: "http://proxy:8081",
    metricsAllow: ["10.0.0.0/8", "fd00::/8"],
    dataDir: "/var/data",
    diskReserveMb: 0,
    eventStoreUrl: "esdb://log1:2113,log2:2113,log3:2113?tls=false",
    mongodbUrl: "mongodb://u:p,w@db1:27017,db2:27017/travel",
    redisUrl: "rediss://cache:6379",
    commandServiceUrl: "http://commands:3000",
    browserPath: "/usr/bin/chromium",
    browserSandbox: false,
    documentReaderUrl: "unix:/run/reader/reader.sock",
    boardingPassPrinterUrl: "tcp://printer:7002",
    listen: "tcp://0.0.0.0:7001",
    rateLimitPerMinute: 0,
    quotaUnpaidSeatsPercent: 100,
    quotaOpenHolds: 0,
    quotaPassengers: 1,
    quotaDocuments: 2,
    quotaDocumentsMb: 3,
    loyaltyRates: new Map([
      ["USD", 1.5],
      ["JPY", 0.01],
      ["KWD", 0],
    ]),
    secretKeyIsNew: true,
    disruptionEarlier: 1_800,
    disruptionLater: 7_200,
    webhookAllowPrivateTargets: true,
    webhookPorts: [587, 1023],
    sandboxClock: true,
    readOnly: false,
    backupTo: undefined,
    backupEvery: 21_600,
    backupKeep: 3,
    retentionBookings: 7_776_000,
    retentionDocuments: 2_592_000,
    retentionPassengers: 34_560_000,
    demo: false,
    startTimeoutSeconds: 60,
    watchdogSeconds: 0,
    logLevel: "debug",
  });
});

test.each([
  ["EVENT_STORE_URL", "esdb://a:2113,b:2113,c:2113?tls=false"],
  ["EVENT_STORE_URL", "esdb://admin:p%40ss@a:2113,b,c:2113/?nodePreference=leader"],
  ["EVENT_STORE_URL", "esdb+discover://cluster.example.com:2113"],
  ["EVENT_STORE_URL", "kurrentdb+discover://cluster.example.com"],
  ["MONGODB_URL", "mongodb://a:27017,b:27017,c:27017/travel?replicaSet=rs0"],
  ["MONGODB_URL", "mongodb://u:p%2Fw@a:27017,b/"],
  ["MONGODB_URL", "mongodb+srv://u:p@cluster.example.com/travel"],
])("%s may be %s", (variable, value) => {
  expect(messagesOf({ [variable]: value, SECRET_KEY: SECRET })).toStrictEqual([]);
});

function messagesOf(environment: Record<string, string>): string[] {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems.map(({ message }) => message);
    throw error;
  }
  return [];
}

describe("a wrong setting is named with what it accepts, and secrets are not shown", () => {
  const port = "it accepts a whole number from 0 to 65535 (0: any free port)";
  const addresses = "it accepts IP addresses or subnets such as 10.0.0.0/8, separated by commas";
  const origins = "it accepts origins such as https://shop.example.com, as browsers send them, separated by commas";
  const rates =
    "it accepts currencies with points below 1000, each once and with at most three decimals, such as USD=1,JPY=0.01";
  const stream = "it accepts unix:/path of a socket, or tcp://host:port";
  const hidden = "it accepts at least 32 visible ASCII characters";
  const mongodb =
    "it accepts a URL that begins with mongodb:// or mongodb+srv://, then one host:port or several with commas";
  const eventStore =
    "it accepts a URL that begins with esdb:// or esdb+discover:// or kurrentdb:// or kurrentdb+discover://, then one host:port or several with commas";
  test.each([
    ["PORT", "http", `PORT is "http": ${port}`],
    ["PORT", "65536", `PORT is "65536": ${port}`],
    ["PORT", "-1", `PORT is "-1": ${port}`],
    ["PORT", " 80", `PORT is " 80": ${port}`],
    ["PORT", "0x50", `PORT is "0x50": ${port}`],
    ["OPERATOR_PORT", "1e3", `OPERATOR_PORT is "1e3": ${port}`],
    ["DOCUMENT_READER_URL", "reader:1", `DOCUMENT_READER_URL is "reader:1": ${stream}`],
    ["LISTEN", "7001", `LISTEN is "7001": ${stream}`],
    ["HOST", "300.1.1.1", 'HOST is "300.1.1.1": it accepts an IP address or a host name'],
    ["HOST", "a\nb", 'HOST is "a\\nb": it accepts an IP address or a host name'],
    ["OPERATOR_HOST", "-x", 'OPERATOR_HOST is "-x": it accepts an IP address or a host name'],
    ["TRUSTED_PROXIES", "10.0.0.0/33", `TRUSTED_PROXIES is "10.0.0.0/33": ${addresses}`],
    ["TRUSTED_PROXIES", "10.0.0.1,proxy", `TRUSTED_PROXIES is "10.0.0.1,proxy": ${addresses}`],
    ...[
      "*",
      "null",
      "shop.example.com",
      "https://shop.example.com/",
      "HTTPS://shop.example.com",
      "https://a.example,",
    ].map((value) => ["CORS_ORIGINS", value, `CORS_ORIGINS is "${value}": ${origins}`] as const),
    ["METRICS_ALLOW", "localhost", `METRICS_ALLOW is "localhost": ${addresses}`],
    ["SECRET_KEY", "short", `SECRET_KEY is not usable: ${hidden}`],
    ["SECRET_KEY_PREVIOUS", "short", `SECRET_KEY_PREVIOUS is not usable: ${hidden}`],
    ["OPERATOR_TOKEN", `${SECRET} `, `OPERATOR_TOKEN is not usable: ${hidden}`],
    ["DATA_DIR", " ", 'DATA_DIR is " ": it accepts the path of a folder'],
    ["MONGODB_URL", "http://u:p@db", `MONGODB_URL is not usable: ${mongodb}`],
    ["MONGODB_URL", "mongodb://u:s3cret@a:1,,b:2/db", `MONGODB_URL is not usable: ${mongodb}`],
    ["EVENT_STORE_URL", "esdb://u:s3cret@a:2113,b:port", `EVENT_STORE_URL is not usable: ${eventStore}`],
    ["EVENT_STORE_URL", "esdb://", `EVENT_STORE_URL is not usable: ${eventStore}`],
    ["REDIS_URL", "cache:6379", "REDIS_URL is not usable: it accepts a URL that begins with redis:// or rediss://"],
    [
      "RATE_LIMIT_PER_MINUTE",
      "1.5",
      'RATE_LIMIT_PER_MINUTE is "1.5": it accepts a whole number from 0 to 1000000000 (0: no limit)',
    ],
    [
      "QUOTA_UNPAID_SEATS_PERCENT",
      "101",
      'QUOTA_UNPAID_SEATS_PERCENT is "101": it accepts a whole number from 0 to 100 (100: no bound)',
    ],
    [
      "QUOTA_DOCUMENTS_MB",
      "0.5",
      'QUOTA_DOCUMENTS_MB is "0.5": it accepts a whole number from 0 to 1000000000 (0: no bound)',
    ],
    ...[
      "USD",
      "USD=",
      "usd=1",
      "EURO=1",
      "USD=-1",
      "USD=1e3",
      "USD=1000",
      "USD=0.0001",
      "USD=1,USD=2",
      "USD=1,",
      ",",
    ].map((value) => ["LOYALTY_RATES", value, `LOYALTY_RATES is "${value}": ${rates}`] as const),
    ["SANDBOX_CLOCK", "yes", 'SANDBOX_CLOCK is "yes": it accepts true or false'],
    ["WEBHOOK_PORTS", "1024", 'WEBHOOK_PORTS is "1024": it accepts ports from 1 to 1023, separated by commas'],
    ["WEBHOOK_PORTS", "0", 'WEBHOOK_PORTS is "0": it accepts ports from 1 to 1023, separated by commas'],
    ["WEBHOOK_ALLOW_PRIVATE_TARGETS", "TRUE", 'WEBHOOK_ALLOW_PRIVATE_TARGETS is "TRUE": it accepts true or false'],
    ["DEMO", "1", 'DEMO is "1": it accepts true or false'],
    ["WATCHDOG_SECONDS", "soon", 'WATCHDOG_SECONDS is "soon": it accepts a whole number from 0 to 86400 (0: off)'],
    ["LOG_LEVEL", "loud", 'LOG_LEVEL is "loud": it accepts one of trace, debug, info, warn, error, fatal, silent'],
  ])("%s=%s", (variable, value, message) => {
    expect(
      messagesOf({ [variable]: value, ...(variable.endsWith("_URL") ? { SECRET_KEY: SECRET } : {}) }),
    ).toStrictEqual([message]);
  });

  test("all of them at once", () => {
    expect(messagesOf({ PORT: "x", DEMO: "x", SECRET_KEY: "x" }).map((message) => message.split(" ")[0])).toStrictEqual(
      ["PORT", "SECRET_KEY", "DEMO"],
    );
  });

  test("SECRET_KEY is required with separate servers", () => {
    expect(messagesOf({ REDIS_URL: "redis://cache" })).toStrictEqual([
      `SECRET_KEY is "": ${hidden}, and is required with servers of their own`,
    ]);
  });
});

test("are shown without secrets", () => {
  const shown = shownSettings(
    readSettings({
      SECRET_KEY: SECRET,
      OPERATOR_TOKEN: OTHER_SECRET,
      MONGODB_URL: "mongodb://me:hidden@one:27017,two:27017/travel?replicaSet=rs0",
      REDIS_URL: "redis://:hidden@127.0.0.1:6379",
      TRUSTED_PROXIES: "10.0.0.1,10.0.0.2",
    }),
  );
  expect(shown).toMatchObject({
    SECRET_KEY: "(set)",
    SECRET_KEY_PREVIOUS: "",
    OPERATOR_TOKEN: "(set)",
    MONGODB_URL: "mongodb://(hidden)@one:27017,two:27017/travel?replicaSet=rs0",
    REDIS_URL: "redis://(hidden)@127.0.0.1:6379",
    TRUSTED_PROXIES: "10.0.0.1,10.0.0.2",
    RATE_LIMIT_PER_MINUTE: "60",
    SANDBOX_CLOCK: "false",
    LOYALTY_RATES: "USD=1,EUR=1,GBP=1",
  });
  expect(JSON.stringify(shown)).not.toMatch(new RegExp(`hidden[^)]|${SECRET}|${OTHER_SECRET}`));
});

test.each([
  ["REDIS_URL", "redis://default:p@ssw0rd@127.0.0.1:6379", "redis://(hidden)@127.0.0.1:6379"],
  ["REDIS_URL", "redis://u:1/2@c:6379/0", "redis://(hidden)@c:6379/0"],
  ["EVENT_STORE_URL", "esdb://admin:ch@nge@a:2113,b?tls=false", "esdb://(hidden)@a:2113,b?tls=false"],
  ["MONGODB_URL", "mongodb://u:p@s?s#@db:27017/travel", "mongodb://(hidden)@db:27017/travel"],
  [
    "MONGODB_URL",
    "mongodb://db/?tlsCertificateKeyFilePassword=x&tls=true&authMechanismProperties=AWS_SESSION_TOKEN:y",
    "mongodb://db/?tlsCertificateKeyFilePassword=(hidden)&tls=true&authMechanismProperties=(hidden)",
  ],
  ["OPERATOR_URL", "http://u:p@ss@x/", "http://(hidden)@x/"],
])("%s %j is shown without any part of a password", (variable, value, shown) => {
  expect(shownSettings(readSettings({ SECRET_KEY: SECRET, [variable]: value }))[variable]).toBe(shown);
});
