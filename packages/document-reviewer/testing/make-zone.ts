import { checkDigitOf } from "../src/mrz/parse-zone.ts";

/** The numbers of the documents made here, by document code, as they are read: with digits for look-alike letters. */
export const NUMBERS_READ = { P: "1898902C3", V: "18988901C", I: "023145890" } as const;

export interface Holder {
  readonly surname: string;
  readonly givenNames: string;
  /** `YYMMDD` */
  readonly expiresOn: string;
  readonly number?: string;
  /** `YYMMDD` */
  readonly born?: string;
}

const padded = (text: string, length: number) => text.slice(0, length).padEnd(length, "<");
const checked = (text: string) => text + checkDigitOf(text);
const names = ({ surname, givenNames }: Holder) => `${surname}<<${givenNames}`.replaceAll(" ", "<");

/** The two lines of a passport (ICAO 9303-4). */
export function passportZone(holder: Holder): readonly [string, string] {
  const { number = "L898902C3", born = "740812", expiresOn } = holder;
  const first = padded(`P<UTO${names(holder)}`, 44);
  const numbers = checked(padded(number, 9));
  const birth = checked(born);
  const rest = checked(expiresOn) + checked(padded("ZE184226B", 14));
  return [first, `${numbers}UTO${birth}F${rest}${checkDigitOf(numbers + birth + rest)}`];
}

/** The two lines of a visa of the larger size (ICAO 9303-7). */
export function visaZone(holder: Holder): readonly [string, string] {
  const { number = "L8988901C", born = "740812", expiresOn } = holder;
  const second = `${checked(padded(number, 9))}UTO${checked(born)}F${checked(expiresOn)}`;
  return [padded(`V<UTO${names(holder)}`, 44), padded(second, 44)];
}

/** The three lines of an identity card (ICAO 9303-5). */
export function cardZone(holder: Holder): readonly [string, string, string] {
  const { number = "D23145890", born = "740812", expiresOn } = holder;
  const numbers = checked(padded(number, 9)) + padded("", 15);
  const birth = checked(born);
  const expiry = checked(expiresOn);
  const optional = padded("", 11);
  const whole = checkDigitOf(numbers + birth + expiry + optional);
  return [`I<UTO${numbers}`, `${birth}F${expiry}UTO${optional}${whole}`, padded(names(holder), 30)];
}
