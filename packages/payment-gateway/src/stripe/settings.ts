import { readFileSync } from "node:fs";
import { SettingError, SettingsError } from "@travel-booking/runtime";
import type { GatewaySettings } from "../port.ts";

/** The settings for Stripe (docs/settings.md). */
export interface StripeSettings {
  /** `sk_…` or `rk_…`. */
  readonly secretKey: string;
  /** `whsec_…` */
  readonly webhookSecret: string;
  /** Undefined: Stripe's own address. */
  readonly apiUrl: URL | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const SECRET_KEY = /^[sr]k_(?:test|live)_[A-Za-z0-9_]+$/;
const LIVE_KEY = /^[sr]k_live_/;
const WEBHOOK_SECRET = /^whsec_[A-Za-z0-9+/=_-]+$/;

/** @throws SettingsError names every variable that is wrong, and never shows a secret. */
export function readStripeSettings(environment: Environment, { sandboxClock }: GatewaySettings): StripeSettings {
  const problems: SettingError[] = [];
  const secret = (variable: string, pattern: RegExp, accepts: string) => {
    try {
      const value = secretOf(environment, variable);
      if (value === undefined) problems.push(new SettingError(variable, "", `${accepts}, and is required with stripe`));
      else if (!pattern.test(value)) problems.push(new SettingError(variable, null, accepts));
      return value ?? "";
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      problems.push(error);
      return "";
    }
  };
  const secretKey = secret(
    "STRIPE_SECRET_KEY",
    SECRET_KEY,
    "a key of Stripe's, sk_test_…, sk_live_…, rk_test_… or rk_live_…",
  );
  const webhookSecret = secret(
    "STRIPE_WEBHOOK_SECRET",
    WEBHOOK_SECRET,
    "the signing secret of a webhook endpoint, whsec_…",
  );
  if (sandboxClock && LIVE_KEY.test(secretKey)) {
    problems.push(new SettingError("STRIPE_SECRET_KEY", null, "a live key only without SANDBOX_CLOCK"));
  }
  const given = environment.STRIPE_API_URL || undefined;
  const apiUrl = given === undefined ? undefined : apiUrlOf(given);
  if (given !== undefined && apiUrl === undefined) {
    problems.push(new SettingError("STRIPE_API_URL", null, "an https: address, or http: of a loopback address"));
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return { secretKey, webhookSecret, apiUrl };
}

/** The variable's value, or the content of the file that its `…_FILE` names. @throws SettingError */
function secretOf(environment: Environment, variable: string): string | undefined {
  const value = environment[variable] || undefined;
  const file = environment[`${variable}_FILE`] || undefined;
  if (file === undefined) return value;
  if (value !== undefined) throw new SettingError(`${variable}_FILE`, file, `nothing while ${variable} is set`);
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    const { code = "unreadable" } = error as NodeJS.ErrnoException;
    throw new SettingError(`${variable}_FILE`, file, `the path of a file that can be read (${code})`);
  }
}

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)$/;

function apiUrlOf(given: string): URL | undefined {
  if (!URL.canParse(given)) return undefined;
  const url = new URL(given);
  const { protocol, hostname, username, pathname, search } = url;
  if (username !== "" || pathname !== "/" || search !== "") return undefined;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname)) ? url : undefined;
}
