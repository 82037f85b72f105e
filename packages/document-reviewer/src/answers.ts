import { type ComparedReading, type DocumentContentType, FILE_FAULTS, type FileFault } from "@travel-booking/domain";
import { z } from "zod";

/** A document redrawn as JPEG, so that nothing else of the file remains. Its pages stand below each other. */
export type DrawnDocument =
  | { readonly outcome: "drawn"; readonly picture: Uint8Array }
  | { readonly outcome: "faulty"; readonly fault: FileFault };

/** A request to the reader. The file comes with it. */
export interface ReadRequest {
  readonly task: "read" | "draw";
  readonly contentType: DocumentContentType;
  /** Names of passengers, to compare with the zone. */
  readonly names: readonly string[];
}

/** Longer than any field of a zone, and than any name in a booking. */
const text = z.string().max(1_000);
const texts = z.array(text).max(100).readonly();

const zone = z.object({
  documentCode: text,
  surname: texts,
  givenNames: texts,
  namesCutOff: z.boolean(),
  expiresOn: text,
  number: text,
});
const comparedName = z.object({
  name: text,
  match: z.enum(["all", "some", "doubtful", "misread", "other"]),
  isInOrder: z.boolean().exactOptional(),
});

const faulty = z.object({ outcome: z.literal("faulty"), fault: z.enum(FILE_FAULTS) });

const reading = z.discriminatedUnion("outcome", [
  z.object({
    outcome: z.literal("read"),
    source: z.enum(["text", "scan"]),
    zone,
    names: z.array(comparedName).max(1_000).readonly(),
  }),
  z.object({ outcome: z.literal("wrong_check_digits"), documentCode: text }),
  z.object({ outcome: z.literal("unreadable"), documentCode: text.nullable() }),
  faulty,
]) satisfies z.ZodType<ComparedReading>;

/**
 * The schema of the reader's answers. A malicious script inside the reader could send anything, so only this is
 * accepted. `failed` is the kind of an error. A drawn picture comes with the answer.
 */
export const readerAnswer = z.union([
  z.object({ read: reading }),
  z.object({ drawn: z.union([z.literal(true), faulty]) }),
  z.object({ failed: text }),
]);
export type ReaderAnswer = z.infer<typeof readerAnswer>;
