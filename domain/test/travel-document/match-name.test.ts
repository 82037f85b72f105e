import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { matchName, resemblesName, samePersonName } from "../../src/travel-document/match-name.ts";

/** `LOVELACE<<ADA<KING`, as it stands in a zone. */
function names(text: string, namesCutOff = false) {
  const [surname = "", givenNames = ""] = text.split("<<");
  const words = (part: string) => part.split("<").filter((word) => word !== "");
  return { surname: words(surname), givenNames: words(givenNames), namesCutOff };
}

describe("a passenger's name is the one on the document", () => {
  test.each([
    ["Ada Lovelace", "LOVELACE<<ADA"],
    ["Ada Lovelace", "LOVELACE<<ADA<KING"],
    ["LOVELACE, ada king", "LOVELACE<<ADA<KING"],
    ["Lovelace Ada", "LOVELACE<<ADA"],
    ["Dr. Ada Lovelace", "LOVELACE<<ADA"],
    ["Jörg Müller", "MUELLER<<JOERG"],
    ["Jörg Müller", "MULLER<<JORG"],
    ["Jörg Müller", "MUXXLLER<<JOERG"],
    ["Søren Ångström", "AANGSTROEM<<SOEREN"],
    ["Groß Weiß", "WEISS<<GROSS"],
    ["Ruzhdi Łukasz Đoković", "DOKOVIC<<RUZHDI<LUKASZ"],
    ["José Peña", "PENXXA<<JOSE"],
    ["Conor O'Brien", "OBRIEN<<CONOR"],
    ["Conor McDonald", "MC<DONALD<<CONOR<PATRICK"],
    ["Mary Ann Smith-Jones", "SMITH<JONES<<MARY<ANN"],
    ["Jean-Luc Picard", "PICARD<<JEAN<LUC"],
    ["Jeanluc Picard", "PICARD<<JEAN<LUC"],
    ["Maria de la Cruz", "DE<LA<CRUZ<<MARIA"],
    ["Иван Щукин", "SHCHUKIN<<IVAN"],
    ["Sukarno", "SUKARNO<<"],
    ["Þórður Æsirsson", "AESIRSSON<<THORDUR"],
  ])("%s: %s", (passenger, zone) => {
    expect(matchName(passenger, names(zone))).toBe("same");
  });

  test.each([
    ["Papandropoulos Jonathon Alexander Evangelos", "PAPANDROPOULOS<<JONATHON<ALEXANDER<E"],
    ["Nilavadhanananda Chayapa Dejthamrong Krasuang", "NILAVADHANANANDA<<CHAYAPA<DEJ"],
    ["Jonathon Papandropoulos", "PAPANDROPOULOS<<JONATHON<ALEXANDER<E"],
  ])("as far as there was room: %s", (passenger, zone) => {
    expect(matchName(passenger, names(zone, true))).toBe("same");
  });
});

test.each([
  ["a second given name the document has not", "Ada Byron Lovelace", "LOVELACE<<ADA"],
  ["one of two surnames", "Maria Garcia", "GARCIA<LOPEZ<<MARIA"],
  ["surnames in another order", "Maria Lopez Garcia", "GARCIA<LOPEZ<<MARIA"],
  ["a surname alone", "Lovelace", "LOVELACE<<ADA"],
  ["letters no rule is known for", "山田 太郎", "YAMADA<<TARO"],
])("a person has to look at %s", (_, passenger, zone) => {
  expect(matchName(passenger, names(zone))).toBe("doubtful");
});

test.each([
  ["Grace Hopper", "LOVELACE<<ADA"],
  ["Grace Lovelace", "LOVELACE<<ADA"],
  ["Ada Hopper", "LOVELACE<<ADA"],
  ["Love Lace", "LOVELACE<<ADA"],
  ["…", "LOVELACE<<ADA"],
])("%s is not %s", (passenger, zone) => {
  expect(matchName(passenger, names(zone))).not.toBe("same");
});

test("any name of plain words matches itself in a zone, in either order", () => {
  const word = fc
    .stringMatching(/^[A-Z]{4,12}$/)
    .filter((text) => !["MISS", "PROF", "DAME", "LADY", "LORD"].includes(text));
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 2, maxLength: 5 }), fc.nat(3), (words, cut) => {
      const split = 1 + (cut % (words.length - 1));
      const surname = words.slice(0, split);
      const givenNames = words.slice(split);
      const zone = { surname, givenNames, namesCutOff: false };
      expect(matchName([...givenNames, ...surname].join(" "), zone)).toBe("same");
      expect(matchName([...surname, ...givenNames].join(" ").toLowerCase(), zone)).toBe("same");
    }),
  );
});

test("no name takes long, however it is made", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (passenger) => {
      expect(["same", "doubtful", "other"]).toContain(matchName(passenger, names("AAAAAAAAAAAAAAAAAAA<<AAAAAAAAA")));
    }),
  );
  expect(matchName("Å".repeat(200), names("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA<<B"))).toBe("other");
});

test.each([
  ["Ada Lovelace", "LOVELACE<<BADA", true],
  ["Ada Lovelace", "L0VELACELLADALLLL<<K".replace("0", "O"), true],
  ["Grace Hopper", "LOVELACE<<ADA", false],
])("%s may have been read as %s: %s", (passenger, zone, expected) => {
  expect(resemblesName(passenger, names(zone))).toBe(expected);
});

test.each([
  ["Ada  LOVELACE", "ada lovelace", true],
  ["José", "Jose\u0301", true],
  ["Ada Lovelace", "Ada Byron", false],
])("%s and %s are one person's: %s", (one, other, expected) => {
  expect(samePersonName(one, other)).toBe(expected);
});
