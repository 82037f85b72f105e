import { ZONE_FORMATS } from "./format.ts";
import { type ParsedZone, parseZone } from "./parse-zone.ts";

const OTHER = /[^A-Z0-9<]/;
/** More lines than any document of a few pages has. */
const MOST_LINES = 5_000;

/** The zones in lines of text that was not read by eye: every character counts. */
export function findZones(text: readonly string[]): readonly ParsedZone[] {
  const lines = text
    .slice(0, MOST_LINES)
    .flatMap((line) => splitJoinedLines(line.replaceAll(/\s/g, "")))
    .filter((line) => line !== "" && !OTHER.test(line));
  const found: ParsedZone[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    for (const format of ZONE_FORMATS) {
      const parsed = parseZone(lines.slice(index, index + format.lines), format);
      if (parsed !== undefined) found.push(parsed);
    }
  }
  return found;
}

/** The lines of a zone may come as one. */
function splitJoinedLines(line: string): readonly string[] {
  const format = ZONE_FORMATS.find(({ lines, length }) => line.length === lines * length);
  if (format === undefined) return [line];
  return Array.from({ length: format.lines }, (_, index) =>
    line.slice(index * format.length, (index + 1) * format.length),
  );
}
