/** What a scanner at a gate makes of a barcode, item by item as the standard lays them out (IATA Resolution 792). */
export interface ParsedPass {
  readonly format: string;
  readonly legs: string;
  readonly name: string;
  readonly electronicTicket: string;
  readonly bookingCode: string;
  readonly from: string;
  readonly to: string;
  readonly carrier: string;
  readonly flightNumber: string;
  readonly dayOfYear: string;
  readonly compartment: string;
  readonly seat: string;
  readonly sequence: string;
  readonly status: string;
  readonly version: string;
  readonly pass: Readonly<Record<string, string>>;
  readonly leg: Readonly<Record<string, string>>;
  /** What is behind all of that: nothing. */
  readonly rest: string;
  readonly security: { readonly type: string; readonly data: string };
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  take(width: number): string {
    const item = this.#text.slice(this.#at, this.#at + width);
    if (item.length !== width) throw new Error(`an item of ${width} characters is cut off at ${this.#at}`);
    this.#at += width;
    return item;
  }

  takeSized(): Reader {
    const digits = this.take(2);
    if (!/^[0-9A-F]{2}$/.test(digits)) throw new Error(`${digits} is no size`);
    return new Reader(this.take(Number.parseInt(digits, 16)));
  }

  get rest(): string {
    return this.#text.slice(this.#at);
  }

  /** Items in order, as far as there are any. */
  takeItems(widths: Readonly<Record<string, number>>): Readonly<Record<string, string>> {
    const items: Record<string, string> = {};
    for (const [name, width] of Object.entries(widths)) if (this.rest !== "") items[name] = this.take(width);
    if (this.rest !== "") throw new Error(`${JSON.stringify(this.rest)} belongs to no item`);
    return items;
  }
}

const PASS_ITEM_WIDTHS = {
  passengerDescription: 1,
  sourceOfCheckIn: 1,
  sourceOfIssuance: 1,
  dayOfIssue: 4,
  documentType: 1,
  issuer: 3,
};
const LEG_ITEM_WIDTHS = {
  numericCode: 3,
  serialNumber: 10,
  selectee: 1,
  documentVerification: 1,
  marketingCarrier: 3,
  frequentFlyerAirline: 3,
  frequentFlyerNumber: 16,
};

/** @throws Error it is not laid out as the standard says. */
export function parseBcbp(message: string): ParsedPass {
  if (!/^[A-Z0-9 /><]*\^[A-Za-z0-9_-]*$/.test(message))
    throw new Error(`${JSON.stringify(message)} has characters no scanner expects`);
  const end = message.indexOf("^");
  const reader = new Reader(message.slice(0, end));
  const behind = new Reader(message.slice(end + 1));
  const security = { type: behind.take(1), data: behind.takeSized().rest };
  if (behind.rest !== "") throw new Error(`${behind.rest} is behind the security data`);
  const mandatory = {
    format: reader.take(1),
    legs: reader.take(1),
    name: reader.take(20),
    electronicTicket: reader.take(1),
    bookingCode: reader.take(7),
    from: reader.take(3),
    to: reader.take(3),
    carrier: reader.take(3),
    flightNumber: reader.take(5),
    dayOfYear: reader.take(3),
    compartment: reader.take(1),
    seat: reader.take(4),
    sequence: reader.take(5),
    status: reader.take(1),
  };
  const conditional = reader.takeSized();
  if (conditional.take(1) !== ">") throw new Error("the conditional items do not begin with their version");
  const version = conditional.take(1);
  const pass = conditional.takeSized().takeItems(PASS_ITEM_WIDTHS);
  const leg = conditional.takeSized().takeItems(LEG_ITEM_WIDTHS);
  return { ...mandatory, version, pass, leg, rest: conditional.rest + reader.rest, security };
}
