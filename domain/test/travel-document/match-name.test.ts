import { describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { compareNames } from "../../src/travel-document/compare-names.ts";
import { isInOrder, matchName } from "../../src/travel-document/match-name.ts";
import { resemblesName } from "../../src/travel-document/resembles-name.ts";
import { samePersonName } from "../../src/travel-document/same-person-name.ts";
import { LETTER_SPELLINGS } from "../../src/travel-document/spelling.ts";

/** `LOVELACE<<ADA<KING`, as it stands in a zone. */
function names(text: string, namesCutOff = false) {
  const [surname = "", givenNames = ""] = text.split("<<");
  const words = (part: string) => part.split("<").filter((word) => word !== "");
  return { surname: words(surname), givenNames: words(givenNames), namesCutOff };
}

describe("a document has all names of a passenger, and no others", () => {
  test.each([
    ["Ada Lovelace", "LOVELACE<<ADA"],
    ["LOVELACE, ada king", "LOVELACE<<ADA<KING"],
    ["Lovelace Ada", "LOVELACE<<ADA"],
    ["King Ada Lovelace", "LOVELACE<<ADA<KING"],
    ["Dr. Ada Lovelace", "LOVELACE<<ADA"],
    ["Prof. Dr. Ada Lovelace", "LOVELACE<<ADA"],
    ["Lord Ada Mary", "LORD<<ADA<MARY"],
    ["Dame Fatou Diop", "DIOP<<DAME<FATOU"],
    ["Jörg Müller", "MUELLER<<JOERG"],
    ["Jörg Müller", "MULLER<<JORG"],
    ["Jörg Müller", "MUXXLLER<<JOERG"],
    ["Søren Ångström", "AANGSTROEM<<SOEREN"],
    ["Groß Weiß", "WEISS<<GROSS"],
    ["Ruzhdi Łukasz Đoković", "DOKOVIC<<RUZHDI<LUKASZ"],
    ["José Peña", "PENXXA<<JOSE"],
    ["Conor O'Brien", "OBRIEN<<CONOR"],
    ["Mary Ann Smith-Jones", "SMITH<JONES<<MARY<ANN"],
    ["Jean-Luc Picard", "PICARD<<JEAN<LUC"],
    ["Jeanluc Picard", "PICARD<<JEAN<LUC"],
    ["Maria de la Cruz", "DE<LA<CRUZ<<MARIA"],
    ["Иван Щукин", "SHCHUKIN<<IVAN"],
    ["Юрій Яценко", "YATSENKO<<YURII"],
    ["Євген Їжак", "YIZHAK<<YEVHEN"],
    ["Йосип Гайдук", "HAIDUK<<YOSYP"],
    ["Юрий Юрьев", "IUREV<<IURII"],
    ["Ќиро Џепароски", "DJEPAROSKI<<KJIRO"],
    ["Sukarno", "SUKARNO<<"],
    ["Þórður Æsirsson", "AESIRSSON<<THORDUR"],
  ])("%s: %s", (passenger, zone) => {
    expect(matchName(passenger, names(zone))).toBe("all");
  });
});

test.each([
  ["Ada Lovelace", "LOVELACE<<ADA<KING"],
  ["King Lovelace", "LOVELACE<<ADA<KING"],
  ["Conor McDonald", "MC<DONALD<<CONOR<PATRICK"],
])("a passenger may leave given names out: %s, %s", (passenger, zone) => {
  expect(matchName(passenger, names(zone))).toBe("some");
});

/** ICAO 9303: parts 4 (passports), 6 (cards of two lines) and 5 (of three), section 4.2.3 each. */
describe("a full field may cut names off. A document", () => {
  const DINGO = "Dingo Potoroo Bennelong Wooloomooloo Warrandyte Warnambool";
  const NIMAL = "WIJESINGHE<MUDIYANSELAGE<<NIMAL<KAMAL<S";

  test.each([
    ["all", "Jonathon Warren Trevor Papandropoulous", "PAPANDROPOULOUS<<JONATHON<WARREN<TREVOR"],
    ["all", "Nilavadhanananda Chayapa Dejthamrong Krasuang", "NILAVADHANANANDA<<CHAYAPA<DEJTHAMRONG<K"],
    ["all", "Nilavadhanananda Chayapa Dejthamrong Krasuang", "NILAVADHANANANDA<<CHAYAPA<DE<K"],
    ["all", "Nilavadhanananda Chayapa Dejthamrong Krasuang", "NILAVADHANANANDA<<CHAYAPA<DEJ"],
    ["all", "Nilavadhanananda Arnpol Petch Charonguang", "NILAVADHANANANDA<<ARNPOL<PE<CH"],
    ["all", DINGO, "BENNEL<WOOLOO<WARRAN<WARNAM<<DINGO<POTO"],
    ["some", "Jonathon Papandropoulous", "PAPANDROPOULOUS<<JONATHON<WARREN<TREVOR"],
    ["some", "Nimal Wijesinghe Mudiyanselage", NIMAL],
    ["some", "Wijesinghe Mudiyanselage Kamal Sunil", NIMAL],
  ])("has %s names: %s, %s", (match, passenger, zone) => {
    expect(matchName(passenger, names(zone, true))).toBe(match);
  });

  test.each([
    ["of which only the beginning of a given name agrees", "Sunil Wijesinghe Mudiyanselage", NIMAL],
    ["of which only the last given name agrees", "Ann Wijesinghe Mudiyanselage", "WIJESINGHE<MUDIYANSELAGE<<ANN"],
    ["of which only an initial agrees", "N Wijesinghe Mudiyanselage", "WIJESINGHE<MUDIYANSELAGE<<N<KAMAL<SUNIL"],
    ["with a name beside it that is not there", "Nimal Rohan Wijesinghe Mudiyanselage", NIMAL],
    ["without a given name", "Nimal Wijesinghe Mudiyanselage", "WIJESINGHE<MUDIYANSELAGE"],
    ["with a shorter surname, which there was room for", "John Olafson", "OLA<<JOHN<MAXIMILIAN<FERDINAND<LEOPOLD<J"],
    ["with surnames in another order", DINGO, "WOOLOO<BENNEL<WARRAN<WARNAM<<DINGO<POTO"],
    ["of a passport, cut to initials", DINGO, "BENNELONG<WOOLOOMOOLOO<WARRANDYTE<W<<DI"],
    ["of a passport, cut as far as needed", DINGO, "BENNELONG<WOOLOOM<WARRAND<WARNAM<<DINGO"],
    ["of a card of two lines, cut to initials", DINGO, "BENNELONG<WOOLOOMOOLOO<W<W<<D<P"],
    ["of a card of two lines, cut as far as needed", DINGO, "BENNELONG<WOOLOOM<WAR<WARN<<D<P"],
    ["of a card of two lines, cut to a number of letters", DINGO, "BENNEL<WOOLO<WARRA<WARNA<<DIN<P"],
    ["of a card of three lines, cut to initials", DINGO, "BENNELONG<WOOLOOMOOLOO<W<W<<DI"],
    ["of a card of three lines, cut as far as needed", DINGO, "BENNELONG<WOOLOOM<WA<WARN<<D<P"],
    ["of a card of three lines, cut to a number of letters", DINGO, "BENNE<WOOLO<WARRA<WARNA<<DIN<P"],
    ["of somebody else, as it seems", "Grace Hopper", NIMAL],
  ])("%s is a person's to judge", (_, passenger, zone) => {
    expect(matchName(passenger, names(zone, true))).toBe("doubtful");
  });
});

test.each([
  ["a second given name the document has not", "Ada Byron Lovelace", "LOVELACE<<ADA"],
  ["one of two surnames", "Maria Garcia", "GARCIA<LOPEZ<<MARIA"],
  ["surnames in another order", "Maria Lopez Garcia", "GARCIA<LOPEZ<<MARIA"],
  ["names in another order where none is a given name", "Kumar Ramesh", "RAMESH<KUMAR<<"],
  ["one of the names where none is a given name", "Ramesh", "RAMESH<KUMAR<<"],
  ["a surname alone", "Lovelace", "LOVELACE<<ADA"],
  ["a surname alone, in two", "Love Lace", "LOVELACE<<ADA"],
  ["letters no rule is known for", "山田 太郎", "YAMADA<<TARO"],
  ["зг, which Ukraine spells ZGH", "Згурський Іван", "ZGHURSKYI<<IVAN"],
  ["ю, я and ъ, which Bulgaria spells YU, YA and A", "Юлия Първанова", "PARVANOVA<<YULIYA"],
  ["ѓ, which North Macedonia spells GJ", "Ѓорѓи Иванов", "IVANOV<<GJORGJI"],
  ["ђ, which Serbia spells DJ", "Ђорђе Ђоковић", "DJOKOVIC<<DJORDJE"],
  ["đ, which Serbia spells DJ", "Đorđe Đoković", "DJOKOVIC<<DJORDJE"],
  ["ə, which Azerbaijan spells A", "Əli Əliyev", "ALIYEV<<ALI"],
  ["another script, whatever it says", "Грейс Хоппер", "LOVELACE<<ADA"],
  ["ö, which the passenger writes O", "Lars Jorgensen", "JOERGENSEN<<LARS"],
  ["ü, which the passenger writes U", "Hans Muller", "MUELLER<<HANS"],
  ["ñ, which the passenger writes N", "Ana Nunez", "NUNXXEZ<<ANA"],
  ["å, which the passenger writes A", "Ake Svensson", "SVENSSON<<AAKE"],
  ["ü, which the passenger writes UE", "Hans Mueller", "MULLER<<HANS"],
  ["a name cut elsewhere", "Lina", "LI<<NA"],
  ["given names joined, of which one is left out", "Ada Lovelace", "LOVELACE<<ADAAUGUSTA"],
  ["more than twelve words", `${"Ada Lovelace ".repeat(6)}King`, "LOVELACE<<ADA"],
])("a person has to look at %s", (_, passenger, zone) => {
  expect(matchName(passenger, names(zone))).toBe("doubtful");
});

test.each([
  ["Grace Hopper", "LOVELACE<<ADA"],
  ["Grace Lovelace", "LOVELACE<<ADA"],
  ["Ada Hopper", "LOVELACE<<ADA"],
  ["Jörg Groß", "LOVELACE<<ADA"],
  ["…", "LOVELACE<<ADA"],
])("%s is not %s", (passenger, zone) => {
  expect(matchName(passenger, names(zone))).toBe("other");
});

test("twelve words and their titles are compared", () => {
  const twelve = "Ada B C D E F G H I J K Lovelace";
  expect(matchName(`Prof. Dr. ${twelve}`, names("LOVELACE<<ADA<B<C<D<E<F<G<H<I<J<K"))).toBe("all");
});

test("any name of plain words matches itself in a zone, in either order", () => {
  const word = fc.oneof(fc.stringMatching(/^[A-Z]{4,12}$/), fc.constantFrom("LORD", "DAME", "MISS"));
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 2, maxLength: 5 }), fc.nat(3), (words, cut) => {
      const split = 1 + (cut % (words.length - 1));
      const surname = words.slice(0, split);
      const givenNames = words.slice(split);
      const zone = { surname, givenNames, namesCutOff: false };
      expect(matchName([...givenNames, ...surname].join(" "), zone)).toBe("all");
      expect(matchName([...surname, ...givenNames].join(" ").toLowerCase(), zone)).toBe("all");
    }),
  );
});

describe("comparing names of 200 characters", () => {
  const LONGEST = 200;
  /** Of a passport: the largest. */
  const FIELD = 39;
  const MOST_SPELLINGS = 3;
  /** Surname and given names, whole and cut off, before and behind the surname, joined and one by one. */
  const WAYS_TO_COMPARE = 4;

  /** Names of one letter and a zone of its spelling: each place in the zone leads on to others. */
  const hostile = Object.entries(LETTER_SPELLINGS).flatMap(([letter, spellings]) =>
    spellings
      .filter((spelling) => spelling !== "")
      .flatMap((spelling) =>
        [1, 16, LONGEST].map((word) => ({
          name: `${letter.repeat(word)} `.repeat(LONGEST).slice(0, LONGEST),
          text: spelling.repeat(FIELD).slice(0, FIELD - "<<".length),
        })),
      ),
  );

  const workOf = (names: readonly string[], text: string, namesCutOff: boolean) => {
    const starts = jest.spyOn(String.prototype, "startsWith");
    const [surname, givenNames] = [[text.slice(0, 8)], [text.slice(8, -1), text.slice(-1)]];
    const zone = { documentCode: "P", surname, givenNames, namesCutOff, expiresOn: "", number: "" };
    compareNames({ outcome: "read", source: "text", zone }, names);
    const looks = starts.mock.calls.length;
    starts.mockRestore();
    return looks;
  };

  test("is work that grows with their letters alone, whatever these are", () => {
    const works = hostile.map(({ name, text }) => workOf([name], text, true));
    const most = Math.max(...works);
    expect(most).toBeGreaterThan(LONGEST);
    expect(most).toBeLessThan(LONGEST * FIELD * MOST_SPELLINGS * WAYS_TO_COMPARE);
    const { name = "", text = "" } = hostile[works.indexOf(most)] ?? {};
    expect(workOf(new Array<string>(9).fill(name), text, true)).toBe(9 * most);
  });
});

test.each([
  ["Ali Hassan", "HASSAN<<ALI", true],
  ["Hassan Ali", "HASSAN<<ALI", false],
  ["Dr. Ali Omar Al-Hassan", "AL<HASSAN<<ALI<OMAR", true],
  ["Omar Hassan", "HASSAN<<ALI<OMAR<SAID", true],
  ["Aliomar Said Hassan", "HASSAN<<ALI<OMAR<SAID", true],
  ["Omar Ali Hassan", "HASSAN<<ALI<OMAR", false],
  ["Ali", "ALI<<", false],
])("%s has the order of %s: %s", (passenger, zone, expected) => {
  expect(isInOrder(passenger, names(zone))).toBe(expected);
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
