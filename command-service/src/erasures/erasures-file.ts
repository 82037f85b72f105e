import { readFileSync } from "node:fs";
import { StartupError } from "@travel-booking/runtime";
import { z } from "zod";
import { ERASABLE, type Erasure } from "./erasures.ts";

const OPTION = "--erasures";
const list = z.array(
  z.object({
    kind: z.enum(ERASABLE),
    id: z.string().min(1).max(200),
    passenger: z.int().min(0).optional(),
    documents: z.literal(true).optional(),
  }),
);

/**
 * The erasures in the file on the command line, as `erasures export --json` writes it. None without a file.
 * @throws StartupError the file is missing, or is something else.
 */
export function readErasures(commandLine: readonly string[]): readonly Erasure[] {
  const at = commandLine.indexOf(OPTION);
  if (at < 0) return [];
  const file = commandLine[at + 1] ?? "";
  try {
    return list.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const problem =
      code === undefined ? "it has to be a file that erasures export --json has written" : `it can't be read (${code})`;
    const message = `${OPTION} is ${JSON.stringify(file)}: ${problem}`;
    throw new StartupError(message, { cause });
  }
}
