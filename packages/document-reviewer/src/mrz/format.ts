/** A part of a zone: line, first character and end (exclusive), all counted from 0. */
export type Field = readonly [line: number, from: number, to: number];

/** The layout of one kind of machine-readable zone. */
export interface ZoneFormat {
  readonly name: "TD1" | "TD2" | "TD3" | "MRV-A" | "MRV-B";
  readonly lines: number;
  readonly length: number;
  /** Possible first letters of the document code. */
  readonly codes: readonly string[];
  readonly names: Field;
  readonly issuer: Field;
  readonly nationality: Field;
  readonly number: Field;
  readonly birth: Field;
  readonly sex: Field;
  readonly expiry: Field;
  readonly optional: readonly Field[];
  /** Fields directly followed by their check digit. */
  readonly checked: readonly Field[];
  /** The fields that the composite check digit covers, and its position; null if there is none. */
  readonly composite: { readonly of: readonly Field[]; readonly at: Field } | null;
  /** The position of the rest of a long document number and its check digit; null if numbers are never long. */
  readonly numberOverflow: Field | null;
  /** A field whose check digit may be a filler when the field is empty; null if there is none. */
  readonly optionalCheckDigit: Field | null;
}

const CARDS = ["A", "C", "I"];

/** The second line of every two-line zone starts alike. */
const SECOND_LINE = {
  issuer: [0, 2, 5],
  number: [1, 0, 9],
  nationality: [1, 10, 13],
  birth: [1, 13, 19],
  sex: [1, 20, 21],
  expiry: [1, 21, 27],
} as const satisfies Partial<ZoneFormat>;
const CHECKED: readonly Field[] = [SECOND_LINE.number, SECOND_LINE.birth, SECOND_LINE.expiry];

/** Passports: ICAO 9303-4. */
const TD3: ZoneFormat = {
  ...SECOND_LINE,
  name: "TD3",
  lines: 2,
  length: 44,
  codes: ["P"],
  names: [0, 5, 44],
  optional: [[1, 28, 42]],
  checked: [...CHECKED, [1, 28, 42]],
  composite: {
    of: [
      [1, 0, 10],
      [1, 13, 20],
      [1, 21, 43],
    ],
    at: [1, 43, 44],
  },
  numberOverflow: null,
  optionalCheckDigit: [1, 28, 42],
};

/** Three-line cards: ICAO 9303-5. */
const TD1: ZoneFormat = {
  name: "TD1",
  lines: 3,
  length: 30,
  codes: CARDS,
  names: [2, 0, 30],
  issuer: [0, 2, 5],
  number: [0, 5, 14],
  nationality: [1, 15, 18],
  birth: [1, 0, 6],
  sex: [1, 7, 8],
  expiry: [1, 8, 14],
  optional: [
    [0, 15, 30],
    [1, 18, 29],
  ],
  checked: [
    [0, 5, 14],
    [1, 0, 6],
    [1, 8, 14],
  ],
  composite: {
    of: [
      [0, 5, 30],
      [1, 0, 7],
      [1, 8, 15],
      [1, 18, 29],
    ],
    at: [1, 29, 30],
  },
  numberOverflow: [0, 15, 30],
  optionalCheckDigit: null,
};

/** Two-line cards: ICAO 9303-6. */
const TD2: ZoneFormat = {
  ...SECOND_LINE,
  name: "TD2",
  lines: 2,
  length: 36,
  codes: CARDS,
  names: [0, 5, 36],
  optional: [[1, 28, 35]],
  checked: CHECKED,
  composite: {
    of: [
      [1, 0, 10],
      [1, 13, 20],
      [1, 21, 35],
    ],
    at: [1, 35, 36],
  },
  numberOverflow: [1, 28, 35],
  optionalCheckDigit: null,
};

/** Visas: ICAO 9303-7. They have no composite check digit. */
const MRV_A: ZoneFormat = {
  ...SECOND_LINE,
  name: "MRV-A",
  lines: 2,
  length: 44,
  codes: ["V"],
  names: [0, 5, 44],
  optional: [[1, 28, 44]],
  checked: CHECKED,
  composite: null,
  numberOverflow: null,
  optionalCheckDigit: null,
};
const MRV_B: ZoneFormat = { ...MRV_A, name: "MRV-B", length: 36, names: [0, 5, 36], optional: [[1, 28, 36]] };

export const ZONE_FORMATS: readonly ZoneFormat[] = [TD3, TD2, TD1, MRV_A, MRV_B];

export function textAt(lines: readonly string[], [line, from, to]: Field): string {
  return lines[line]?.slice(from, to) ?? "";
}
