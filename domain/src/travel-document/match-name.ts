import type { MachineReadableZone, NameMatch } from "./reading.ts";
import {
  beginsWord,
  isOfPlainLetters,
  isWord,
  type Places,
  placesBehind,
  type SpelledWord,
  spelledWords,
  startOf,
  union,
  withoutMarks,
} from "./spelling.ts";

type Names = Pick<MachineReadableZone, "surname" | "givenNames" | "namesCutOff">;
type Words = readonly SpelledWord[];
type Match = Exclude<NameMatch, "misread">;

const TITLES = ["MR", "MRS", "MS", "MISS", "MX", "DR", "PROF", "SIR", "DAME", "LADY", "LORD", "REV"];
/** A given name and a surname. With fewer other words, a title is a name itself. */
const LEAST_WORDS = 2;
/** Without titles. A document has no room for more. */
const MOST_WORDS = 12;

/**
 * Whether a passenger's name, in any order and spelling, matches a machine-readable zone. The name needs the whole
 * surname and at least one whole given name. A passenger may omit further given names, but not add any
 * (docs/rules.md#names-on-documents). The work grows with the letters of the name, not with their arrangements.
 */
export function matchName(passengerName: string, names: Names): Match {
  const words = wordsOf(passengerName, names);
  if (words === undefined) return "doubtful";
  const match = matchWords(words, names);
  if (match !== "other") return match;
  const isDoubtful = names.namesCutOff || !isOfPlainLetters(passengerName) || isAlike(words, names);
  return isDoubtful ? "doubtful" : "other";
}

/** Whether a passenger's name has given names in the order of the zone, of which some may be left out, then the surname. */
export function isInOrder(passengerName: string, names: Names): boolean {
  const words = wordsOf(passengerName, names) ?? [];
  const text = names.givenNames.join("");
  const ends = new Set(endsOf(names.givenNames));
  const last = new Set(
    surnamesIn(words, names)
      .filter(({ to }) => to === words.length)
      .map(({ from }) => from),
  );
  let places = withFurther(startOf(text, 1), ends, 0);
  for (const [index, word] of words.entries()) {
    places = placesBehind(text, places, word);
    const end = places.findIndex((bits, at) => bits !== 0 && ends.has(at));
    if (end === -1) continue;
    if (last.has(index + 1)) return true;
    places = withFurther(places, ends, end);
  }
  return false;
}

/** Also the ends of all names behind a place, where the next word may go on. */
function withFurther(places: Places, ends: ReadonlySet<number>, from: number): Places {
  return places.map((bits, at) => (at >= from && ends.has(at) ? 1 : bits));
}

/**
 * Whether a passenger may have lost marks in another way than the issuer (Jorgensen for JOERGENSEN), or names are joined
 * or cut elsewhere.
 */
function isAlike(words: Words, names: Names): boolean {
  const plain = words.map((word) => withoutMarks(word.map(([usual = ""]) => usual).join("")));
  const spelled = plain.map((word) => [...word].map((letter) => [letter]));
  const [surname, givenNames] = [names.surname.map(withoutMarks), names.givenNames.map(withoutMarks)];
  if (matchWords(spelled, { surname, givenNames, namesCutOff: false }) !== "other") return true;
  const [family, given] = [surname.join(""), givenNames.join("")];
  if ([family + given, given + family].includes(plain.join(""))) return true;
  return runsOf(spelled, family).some(({ from, to }) => {
    const others = [...plain.slice(0, from), ...plain.slice(to)].join("");
    return others !== "" && given.startsWith(others);
  });
}

/** The words of a name, without titles that the zone lacks. Undefined: a letter has no rule, or too many words. */
export function wordsOf(passengerName: string, names: Pick<Names, "surname" | "givenNames">): Words | undefined {
  const all = spelledWords(passengerName);
  if (all === undefined) return undefined;
  let first = 0;
  while (all.length - first > LEAST_WORDS && isTitle(all[first] ?? [], names)) first += 1;
  return all.length - first > MOST_WORDS ? undefined : all.slice(first);
}

/** Lord is also a surname, and Dame a given name, so such a word is a title only if the zone has no such name. */
function isTitle(word: SpelledWord, { surname, givenNames }: Pick<Names, "surname" | "givenNames">): boolean {
  const isName = (title: string) => surname.includes(title) || givenNames.includes(title);
  return TITLES.some((title) => isWord(title, word) && !isName(title));
}

const BEST_FIRST = ["all", "some", "doubtful"] as const;

function matchWords(words: Words, names: Names): Match {
  if (words.length === 0 || names.surname.length === 0) return "other";
  const surnames = surnamesIn(words, names);
  const fits = words.map((word) => fitsOf(word, names));
  const matches = [
    matchInOrder(words, surnames, names),
    ...surnames.map(({ from, to }) => matchInAnyOrder([...fits.slice(0, from), ...fits.slice(to)], names)),
  ];
  return BEST_FIRST.find((match) => matches.includes(match)) ?? (sharesParts(words, names) ? "doubtful" : "other");
}

/** A surname among the words of a name: the index of its first word, and the index after its last one. */
interface Surname {
  readonly from: number;
  readonly to: number;
}

/** Names may be joined or split, so only the sequence of letters matters. */
function surnamesIn(words: Words, names: Names): readonly Surname[] {
  const text = names.surname.join("");
  const whole = runsOf(words, text);
  if (!names.namesCutOff) return whole;
  const cutOff = runsOf(words, text, new Set(endsOf(names.surname)));
  return [...whole, ...cutOff.filter(({ from, to }) => isTooLong(words.slice(from, to), names))];
}

/** All runs of words that spell the text. */
function runsOf(words: Words, text: string, ends?: ReadonlySet<number>): readonly Surname[] {
  const runs: Surname[] = [];
  let places = startOf(text, 0);
  for (const [index, word] of words.entries()) {
    // One bit for each word with which a run may begin.
    places = placesBehind(text, union(places, startOf(text, 1 << index)), word, ends);
    const begun = places[text.length] ?? 0;
    for (let from = 0; from <= index; from += 1) if ((begun & (1 << from)) !== 0) runs.push({ from, to: index + 1 });
  }
  return runs;
}

/** The place in the joined text where each part ends. */
function endsOf(parts: readonly string[]): readonly number[] {
  return parts.map((_, index) => parts.slice(0, index + 1).join("").length);
}

/** Whether a surname had to be cut off, because the field can't also hold the first letter of a given name. */
function isTooLong(surname: Words, { surname: parts, givenNames }: Names): boolean {
  const field = `${parts.join("<")}<<${givenNames.join("<")}`.length;
  const letters = surname.flat().map((ways) => Math.min(...ways.map(({ length }) => length)));
  return letters.reduce((sum, length) => sum + length, surname.length - 1) + "<<A".length > field;
}

/** Whether the words around a surname are the first given names in their order, joined or split. */
function matchInOrder(words: Words, surnames: readonly Surname[], { givenNames, namesCutOff }: Names): Match {
  const text = givenNames.join("");
  const placesBefore: Places[] = [];
  let before = startOf(text, 1);
  let after = startOf(text, 0);
  for (const [index, word] of words.entries()) {
    placesBefore.push(before);
    before = placesBehind(text, before, word);
    after = placesBehind(text, after, word);
    for (const { from, to } of surnames) if (to === index + 1) after = union(after, placesBefore[from] ?? []);
  }
  const firstWhole = givenNames.findIndex((_, index) => isWhole(givenNames, index, namesCutOff));
  if (firstWhole === -1) return text === "" && !namesCutOff && after[0] !== 0 ? "all" : "other";
  if (after[text.length] !== 0) return "all";
  return endsOf(givenNames).some((end, index) => index >= firstWhole && after[end] !== 0) ? "some" : "other";
}

/**
 * Whether a part is a whole name. In a full field the last part may be only the beginning of one, and a single letter
 * is only a beginning (ICAO 9303-4, section 4.2.3).
 */
function isWhole(givenNames: readonly string[], index: number, namesCutOff: boolean): boolean {
  return !namesCutOff || (index < givenNames.length - 1 && givenNames[index]?.length !== 1);
}

/** How a word fits a given name: it is that name, or begins with a part that may be cut off. */
type Fit = "whole" | "beginning" | "none";

function fitsOf(word: SpelledWord, { givenNames, namesCutOff }: Names): readonly Fit[] {
  return givenNames.map((given, index) => {
    if (isWhole(givenNames, index, namesCutOff) && isWord(given, word)) return "whole";
    return namesCutOff && beginsWord(given, word) ? "beginning" : "none";
  });
}

/** @param fits of the words beside the surname, in their order. */
function matchInAnyOrder(fits: readonly (readonly Fit[])[], { givenNames }: Names): Match {
  if (fits.length === 0 || givenNames.length === 0) return "doubtful";
  const left = new Set(givenNames.keys());
  const take = (fit: readonly Fit[], wanted: Fit) => {
    const place = [...left].find((index) => fit[index] === wanted);
    if (place !== undefined) left.delete(place);
    return place;
  };
  const whole = fits.map((fit) => take(fit, "whole"));
  const places = fits.map((fit, index) => whole[index] ?? take(fit, "beginning"));
  const last = places.findIndex((place, index) => whole[index] === undefined && place === givenNames.length - 1);
  // A full field has no room for names after its last one.
  const isUnknown = (index: number) => places[index] === undefined && (last === -1 || index < last);
  const unknown = [...fits.keys()].filter(isUnknown);
  if (unknown.length === fits.length) return "other";
  if (unknown.length > 0 || whole.every((place) => place === undefined)) return "doubtful";
  return left.size === 0 ? "all" : "some";
}

function sharesParts(words: Words, { surname, givenNames }: Names): boolean {
  const isThere = (part: string) => words.some((word) => isWord(part, word));
  return surname.some(isThere) && (givenNames.length === 0 || givenNames.some(isThere));
}
