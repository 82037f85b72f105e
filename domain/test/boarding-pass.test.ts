import { describe, expect, test } from "@jest/globals";
import romanize from "any-ascii";
import fc from "fast-check";
import {
  type BarCodedLeg,
  barCodedBoardingPass,
  boardingAtOf,
  boardingGroupOf,
  boardingItemsOf,
  bookingCodeOf,
  type CabinPlan,
  columnsOf,
  flightDesignatorOf,
  seatsOf,
  sequenceOf,
  signedPartsOf,
} from "../src/index.ts";
import { business, economy } from "./flight/sample-flight.ts";

const cabin = (about: Partial<CabinPlan>): CabinPlan => ({ ...economy, blocked: [], ...about });
const first = cabin({ cabin: "first", rows: [1, 1], layout: "A K" });
const premium = cabin({ cabin: "premium_economy", rows: [5, 6] });
const rows10To14 = cabin({ rows: [10, 14] });

test("boarding begins 45 minutes before departure", () => {
  expect(boardingAtOf(Date.UTC(2027, 2, 1, 0, 15))).toBe(Date.UTC(2027, 1, 28, 23, 30));
});

describe("boarding group", () => {
  test.each([
    [first, 1, "voyager", "A"],
    [rows10To14, 10, "admiral", "A"],
    [business, 1, "voyager", "B"],
    [premium, 5, "pioneer", "B"],
    [premium, 6, "voyager", "C"],
    [rows10To14, 11, "voyager", "E"],
    [rows10To14, 12, "voyager", "D"],
    [rows10To14, 14, "voyager", "D"],
    [cabin({ rows: [7, 7] }), 7, "voyager", "D"],
  ] as const)("%#", (plan, row, tier, group) => {
    expect(boardingGroupOf(plan, row, tier)).toBe(group);
  });
});

describe("sequence", () => {
  const cabins = [rows10To14, first, premium, { ...business, rows: [2, 3] as const }];

  test("counts the higher cabins first, and of economy the rear half", () => {
    expect(
      ["1A", "1K", "2A", "5A", "12A", "14C", "10A", "11C"].map((seat) => sequenceOf({ cabins }, seat)),
    ).toStrictEqual([1, 2, 3, 7, 13, 21, 22, 27]);
  });

  test("every seat has one of its own, without a gap", () => {
    const seats = cabins.flatMap((plan) => seatsOf(plan).map(({ number }) => number));
    const numbers = seats.map((seat) => sequenceOf({ cabins }, seat)).sort((one, other) => one - other);
    expect(numbers).toStrictEqual(seats.map((_, index) => index + 1));
    expect(columnsOf(first)).toStrictEqual(["A", "K"]);
  });

  test("a seat the flight does not have has none", () => {
    expect(() => sequenceOf({ cabins }, "99A")).toThrow("no seat 99A");
  });
});

const BOOKING = "bkg_019b0000deadbeef0123456789abcdef";
const journey = (about: Partial<BarCodedLeg> = {}): BarCodedLeg => ({
  bookingId: BOOKING,
  passengerName: "Ada Lovelace",
  flightId: "KP442-20270301",
  from: "LEO",
  destinationId: "kepler-442b",
  departsAt: Date.UTC(2027, 2, 1, 9),
  cabin: "economy",
  seat: "14C",
  sequence: 25,
  memberNumber: "TB-42",
  documentsChecked: true,
  ...about,
});
const SIGNATURE = "aB3_-x";
const barcodeOf = (leg: BarCodedLeg) => barCodedBoardingPass(leg, { romanize, sign: () => SIGNATURE });

/** Widths of the sixty characters that are always there (Resolution 792, mandatory items of a single leg). */
const WIDTHS = [1, 1, 20, 1, 7, 3, 3, 3, 5, 3, 1, 4, 5, 1, 2];

function items(message: string): readonly string[] {
  return WIDTHS.map((width, index) => {
    const at = WIDTHS.slice(0, index).reduce((sum, before) => sum + before, 0);
    return message.slice(at, at + width);
  });
}

describe("the message of a barcode", () => {
  test("every item in its place", () => {
    const code = bookingCodeOf(BOOKING);
    expect(barcodeOf(journey())).toBe(
      [
        `M1LOVELACE/ADA        E${code} LEOKEPKP 0442 060Y014C0025 1`,
        "36>60B0WW    BKP 25              2KP KP TB42            ^106aB3_-x",
      ].join(""),
    );
  });

  test("without a member number the items from there on are left out", () => {
    const short = barcodeOf(journey({ memberNumber: null, documentsChecked: false }));
    expect(short.slice(58)).toBe("23>60B0WW    BKP 12              1KP ^106aB3_-x");
    expect(barcodeOf(journey({ memberNumber: "1234567890 12345678", documentsChecked: false }))).toBe(short);
  });

  test.each(["ЖЖ12", "Ä12", "١٢", "12ß", "ı12", "12*", "12\t3", "№12"])(
    "a member number that it can't carry is left out, for what is left would be another's: %j",
    (memberNumber) => expect(barcodeOf(journey({ memberNumber }))).toBe(barcodeOf(journey({ memberNumber: null }))),
  );

  test.each(["TB 42", "tb-42", "T.B.4.2", "TB\u201042", "TB\u200b42\u00ad", " TB\u00a042"])(
    "a member number that is grouped is the same: %j",
    (memberNumber) => expect(barcodeOf(journey({ memberNumber }))).toBe(barcodeOf(journey())),
  );

  test("of a name it spells no more than it has room for", () => {
    let spelled = 0;
    const counting = (text: string) => {
      spelled += text.length;
      return romanize(text);
    };
    const names = ["龍".repeat(200), `${"龍".repeat(99)} ${"龍".repeat(99)}`, "ა ".repeat(100), "أ".repeat(200)];
    const spelledOf = names.map((passengerName) => {
      spelled = 0;
      barCodedBoardingPass(journey({ passengerName }), { romanize: counting, sign: () => SIGNATURE });
      return spelled;
    });
    expect(spelledOf.every((count) => count <= 40)).toBe(true);
  });

  test.each<[Partial<BarCodedLeg>, number, string]>([
    [{ cabin: "first" }, 10, "F"],
    [{ cabin: "business" }, 10, "J"],
    [{ cabin: "premium_economy" }, 10, "W"],
    [{ seat: "1A" }, 11, "001A"],
    [{ seat: "999Z" }, 11, "999Z"],
    [{ sequence: 1 }, 12, "0001 "],
    [{ sequence: 12345 }, 12, "12345"],
    [{ departsAt: Date.UTC(2028, 11, 31, 23, 59) }, 9, "366"],
    [{ departsAt: Date.UTC(2027, 0, 1) }, 9, "001"],
    [{ destinationId: "55-cancri-e" }, 6, "CAN"],
    [{ destinationId: "k2-18b" }, 6, "KBX"],
    [{ flightId: "N7-9A" }, 7, "TB "],
    [{ flightId: "N712A-x" }, 8, "0012A"],
  ])("%j", (about, place, item) => {
    expect(items(barcodeOf(journey(about)))[place]).toBe(item);
  });

  test.each([
    ["Ada Lovelace", "LOVELACE/ADA"],
    ["Vincent van Gogh", "VAN GOGH/VINCENT"],
    ["Martin King, Jr.", "KING JR/MARTIN"],
    ["Henry Ford III", "FORD III/HENRY"],
    ["Ludwig van Dyke Sr", "VAN DYKE SR/LUDWIG"],
    ["Prof. Dr. Ada Lovelace", "LOVELACE/ADA"],
    ["Dr No", "NO/DR"],
    ["Ada Jr", "JR/ADA"],
    ["Jean-Luc O'Neill", "ONEILL/JEAN LUC"],
    ["Søren Åkesson Ægir", "AEGIR/SOEREN AAKESSO"],
    ["Фёдор Достоевский", "DOSTOEVSKII/FEDOR"],
    ["Ελένη Παπαδοπούλου", "PAPADOPOULOU/ELENI"],
    ["Hubert Wolfeschlegelsteinhausen", "WOLFESCHLEGELSTEIN/H"],
    ["Cher", "CHER"],
    ["王小明", "WANG/XIAOMING"],
    ["李小龍", "LI/XIAOLONG"],
    ["欧阳 娜娜", "OUYANG/NANA"],
    ["김철수", "GIM/CHEOLSU"],
    ["山田太郎", "SHANTIAN/TAILANG"],
    ["佐々木 希", "ZUOZUOMU/XI"],
    ["たなか さくら", "TANAKA/SAKURA"],
    ["أحمد علي", "ELY/AHMD"],
    ["अमित शर्मा", "SRMA/AMIT"],
    ["דוד כהן", "KHHN/DVD"],
    ["אדם עמית", "EMYT/ADM"],
    ["สมชาย ใจดี", "AICHDI/SMCHAY"],
    ["გიორგი ბერიძე", "BERIDZE/GIORGI"],
    ["42 🚀", "PASSENGER"],
    ["M<Script> & \u0000Bobby", "BOBBY/M SCRIPT"],
  ])("the name %s", (passengerName, written) => {
    expect(items(barcodeOf(journey({ passengerName })))[2]).toBe(written.padEnd(20));
  });

  test("whatever it is made of, it is as long as it says and in letters a scanner knows", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 60 });
    const arbitrary = fc.record({
      passengerName: text,
      memberNumber: fc.option(text),
      destinationId: text,
      flightId: text,
    });
    fc.assert(
      fc.property(arbitrary, (about) => {
        const message = barcodeOf(journey(about));
        expect(message).toMatch(/^[A-Z0-9 /><]*\^106aB3_-x$/);
        expect(message.indexOf("^")).toBe(60 + Number.parseInt(message.slice(58, 60), 16));
        expect(items(message).map((item) => item.length)).toStrictEqual(WIDTHS);
      }),
    );
  });
});

test("the name is that of the verified passport, where it was read", () => {
  const names = (zoneName: string) => items(barcodeOf(journey({ passengerName: "Seo-yeon Kim", zoneName })))[2]?.trim();
  expect(names("KIM/SEOYEON")).toBe("KIM/SEOYEON");
  expect(names("VAN DER WOLFESCHLEGELSTEINHAUSEN/HUBERT")).toBe("VAN DER WOLFESCHLE/H");
  expect(names("ARKFREITH")).toBe("ARKFREITH");
  expect(names("[erased]")).toBe("KIM/SEO YEON");
});

describe("the signature", () => {
  const sign = (text: string) => `${text.length}`;
  const message = barCodedBoardingPass(journey(), { romanize, sign });

  test("is of everything before it", () => {
    const parts = signedPartsOf(message);
    expect(parts).toStrictEqual({ text: message.slice(0, message.indexOf("^")), signature: "114" });
    expect(boardingItemsOf(parts?.text ?? "")).toStrictEqual({
      name: "LOVELACE/ADA",
      booking: bookingCodeOf(BOOKING),
      from: "LEO",
      to: "KEP",
      flight: "KP 0442",
      dayOfYear: "060",
      compartment: "Y",
      seat: "14C",
      sequence: "25",
    });
  });

  test.each(["", "M1", message.slice(0, -1), `${message}x`, message.replace("^1", "^2"), message.replace("^", " ")])(
    "a text without a whole one has none: %j",
    (text) => expect(signedPartsOf(text)).toBeUndefined(),
  );
});

test("a flight is named by its id where that begins with a designator, else always by the same number", () => {
  expect(flightDesignatorOf("KP442-20270301")).toStrictEqual({ carrier: "KP", number: "442" });
  expect(flightDesignatorOf("TRAPPIST-RUN")).toStrictEqual(flightDesignatorOf("TRAPPIST-RUN"));
  expect(flightDesignatorOf("KP12345-1").carrier).toBe("TB");
});

test("a booking's code is of six letters and digits that can't be mistaken, and its own", () => {
  expect(bookingCodeOf(BOOKING)).toMatch(/^[A-HJ-NP-Z2-9]{6}$/);
  expect(bookingCodeOf(BOOKING)).toBe(bookingCodeOf(BOOKING));
  expect(bookingCodeOf(`${BOOKING.slice(0, -1)}0`)).not.toBe(bookingCodeOf(BOOKING));
});
