import { isIP, isIPv6 } from "node:net";
import { isAbsolute } from "node:path";

/** How the text of a variable becomes a value. */
export interface SettingParser<Parsed> {
  /** Ends the sentence "it accepts …". */
  readonly accepts: string;
  /** True: what was given must not be shown. */
  readonly secret?: boolean;
  /** Undefined: not acceptable. */
  parse(text: string): Parsed | undefined;
}

export function wholeNumber(min: number, max: number, meaning: string): SettingParser<number> {
  return {
    accepts: `a whole number from ${min} to ${max}${meaning}`,
    parse(text) {
      if (!/^\d{1,15}$/.test(text)) return undefined;
      const number = Number(text);
      return number >= min && number <= max ? number : undefined;
    },
  };
}

export const flag: SettingParser<boolean> = {
  accepts: "true or false",
  parse: (text) => (text === "true" ? true : text === "false" ? false : undefined),
};

export function oneOf<const Word extends string>(words: readonly Word[]): SettingParser<Word> {
  return {
    accepts: `one of ${words.join(", ")}`,
    parse: (text) => words.find((word) => word === text),
  };
}

const HOST_NAME = /^(?=.{1,253}$)(?:(?!-)[A-Za-z0-9-]{1,63}(?<!-)\.)*(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/;
/** Only digits and dots: a mistyped address, not a name. */
const NUMERIC = /^[\d.]+$/;

export const host: SettingParser<string> = {
  accepts: "an IP address or a host name",
  parse: (text) => (isIP(text) !== 0 || (HOST_NAME.test(text) && !NUMERIC.test(text)) ? text : undefined),
};

function isAddressOrSubnet(text: string): boolean {
  const [address = "", length, ...rest] = text.split("/");
  if (isIP(address) === 0 || rest.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (isIPv6(address) ? 128 : 32));
}

export const addresses: SettingParser<readonly string[]> = {
  accepts: "IP addresses or subnets such as 10.0.0.0/8, separated by commas",
  parse(text) {
    const parts = text.split(",").map((part) => part.trim());
    return parts.every(isAddressOrSubnet) ? parts : undefined;
  },
};

const MIN_SECRET = 32;

export const secret: SettingParser<string> = {
  accepts: `at least ${MIN_SECRET} visible ASCII characters`,
  secret: true,
  parse: (text) => (text.length >= MIN_SECRET && /^[\x21-\x7e]+$/.test(text) ? text : undefined),
};

/** An address of a server. It may hold a password, so it is never shown. */
export function url(...protocols: readonly string[]): SettingParser<string> {
  return {
    accepts: `a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
    secret: true,
    parse: (text) =>
      protocols.some((protocol) => text.startsWith(`${protocol}//`)) && URL.canParse(text) ? text : undefined,
  };
}

export const program: SettingParser<string> = {
  accepts: "the absolute path of a program, or none",
  parse: (text) => (text === "none" || (isAbsolute(text) && !text.includes("\0")) ? text : undefined),
};

export const folder: SettingParser<string> = {
  accepts: "the path of a folder",
  parse: (text) => (text.includes("\0") || text.trim() === "" ? undefined : text),
};
