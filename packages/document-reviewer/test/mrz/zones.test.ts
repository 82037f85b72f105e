import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { parse } from "mrz";
import { AS_DIGIT, findZones } from "../../src/mrz/parse-zone.ts";
import { recoverZone } from "../../src/mrz/recover-zone.ts";
import { cardZone, passportZone, visaZone } from "../../testing/make-zone.ts";

/** The zones in these lines. */
const zonesIn = (lines: readonly string[]) =>
  findZones(lines.map((text) => ({ text }))).map(({ isConsistent, zone }) => ({ isConsistent, zone }));

/** The specimens of ICAO 9303 parts 4 to 7. */
const SPECIMENS = {
  TD3: ["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"],
  TD2: ["I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "D231458907UTO7408122F1204159<<<<<<<6"],
  TD1: ["I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"],
  "MRV-A": ["V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L8988901C4XXX4009078F96121096ZE184226B<<<<<<"],
  "MRV-B": ["V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "L8988901C4XXX4009078F9612109<<<<<<<<"],
} as const;

describe("a specimen", () => {
  test.each(Object.entries(SPECIMENS))("of %s is read, and all its check digits are right", (_, lines) => {
    const [found, ...others] = zonesIn(["above", ...lines, "below"]);
    expect(others).toStrictEqual([]);
    expect(found).toMatchObject({
      isConsistent: true,
      zone: { surname: ["ERIKSSON"], givenNames: ["ANNA", "MARIA"], namesCutOff: false },
    });
    expect(zonesIn([lines.join("")])).toStrictEqual([found]);
    expect(zonesIn(lines.map((line) => [...line].join(" ")))).toStrictEqual([found]);
  });

  test.each(Object.entries(SPECIMENS))("of %s is found out when a digit is another one", (_, lines) => {
    const places = lines.flatMap((line, index) => [...line.matchAll(/\d/g)].map(({ index: at }) => ({ index, at })));
    for (const { index, at } of places) {
      const changed = lines.map((line, own) =>
        own === index ? line.slice(0, at) + String((Number(line[at]) + 1) % 10) + line.slice(at + 1) : line,
      );
      for (const { isConsistent } of zonesIn(changed)) expect(isConsistent).toBe(isUnchecked(lines, at, index));
    }
  });
});

/** The optional data of a visa has no check digit. */
function isUnchecked(lines: readonly string[], at: number, line: number): boolean {
  return lines[0]?.startsWith("V") === true && line === 1 && at >= 28;
}

const letters = (min: number, max: number) => fc.stringMatching(new RegExp(`^[A-Z]{${min},${max}}$`));
const day = fc
  .date({ min: new Date("2027-01-01"), max: new Date("2049-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(2, 10).replaceAll("-", ""));
const holder = fc.record({
  surname: letters(2, 12),
  givenNames: letters(2, 6),
  expiresOn: day,
  number: fc.stringMatching(/^[A-Z0-9]{9}$/),
});

test("any zone is read as another implementation reads it", () => {
  fc.assert(
    fc.property(holder, fc.constantFrom(passportZone, visaZone, cardZone), (of, make) => {
      const lines = make(of);
      const theirs = parse([...lines]);
      const [ours] = zonesIn(lines);
      expect(ours?.isConsistent).toBe(true);
      const { surname, givenNames, expiresOn, number } = ours?.zone ?? {};
      expect([surname?.join(" "), givenNames?.join(" "), expiresOn, number]).toStrictEqual([
        theirs.fields.lastName,
        theirs.fields.firstName,
        theirs.fields.expirationDate,
        theirs.fields.documentNumber?.replaceAll(/[A-Z]/g, (letter) => AS_DIGIT[letter] ?? letter),
      ]);
    }),
  );
});

test("a number too long for its place goes on in the optional data", () => {
  const long = ["I<UTOD23145890<7349<<<<<<<<<<<", "3407127M9507122UTO<<<<<<<<<<<2", "STEVENSON<<PETER<JOHN<<<<<<<<<"];
  expect(zonesIn(long)).toMatchObject([
    { isConsistent: true, zone: { surname: ["STEVENSON"], number: "023145890734" } },
  ]);
  expect(zonesIn(long.map((line) => line.replace("7349", "7439")))).toMatchObject([{ isConsistent: false }]);
});

test("a passport without a personal number has a filler for its check digit, or a zero", () => {
  const [first] = SPECIMENS.TD3;
  const second = "L898902C36UTO7408122F1204159<<<<<<<<<<<<<<";
  for (const end of ["<8", "08"]) {
    expect(zonesIn([first, second + end])).toMatchObject([{ isConsistent: true }]);
  }
  expect(zonesIn([first, `${second.replace("<<<<<<<<<<<<<<", "A<<<<<<<<<<<<<")}<8`])).toMatchObject([
    { isConsistent: false },
  ]);
});

describe("from what was read by eye", () => {
  const [first, second] = SPECIMENS.TD3;
  const expected = zonesIn([first, second])[0];

  test.each([
    ["as it is", first, second],
    [
      "zeros for Os, and the other way round",
      "P<UT0ERIKSS0N<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
      "L8989O2C36UT074O8122F12O4159ZE184226B<<<<<1O",
    ],
    ["one character read as two", first, "1L898902C36UT0O7408122F1204159ZE184226B<<<<<10"],
    [
      "fillers too few and too many",
      "P<UTOERIKSSON<<ANNA<MARIA<<<<<<",
      "L898902C36UTO7408122F1204159ZE184226B<<<<<<<10",
    ],
    ["letters for fillers", "P<UTOERIKSSON<<ANNA<MARIA<K<<<LKLKLLKLKLKLLL<LKL", second],
    ["other lines around it", first, second],
  ])("a zone is recovered: %s", (_, one, other) => {
    expect(recoverZone(["PASSP0RT", one, other, "X<<<<<<"])).toStrictEqual(expected);
  });

  test("nothing is recovered whose check digits do not agree", () => {
    expect(recoverZone([first, second.replace("120415", "220415")])).toBeUndefined();
    expect(recoverZone([first])).toBeUndefined();
    expect(recoverZone([])).toBeUndefined();
  });

  test("no text takes long, or is taken for a zone by chance", () => {
    const line = fc.stringMatching(/^[A-Z0-9<]{24,60}$/);
    fc.assert(fc.property(fc.array(line, { maxLength: 6 }), (lines) => expect(recoverZone(lines)).toBeUndefined()));
    expect(recoverZone(Array.from({ length: 3 }, () => `P<${"0O".repeat(24)}`))).toBeUndefined();
  });
});
