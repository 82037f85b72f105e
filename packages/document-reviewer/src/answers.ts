import { type ComparedReading, type DocumentContentType, FILE_FAULTS, type FileFault } from "@travel-booking/domain";
import { z } from "zod";

/** A document drawn anew, as JPEG: nothing else of the file is left. Pages stand below each other. */
export type DrawnDocument =
  | { readonly outcome: "drawn"; readonly picture: Uint8Array }
  | { readonly outcome: "faulty"; readonly fault: FileFault };

/** To the reader, with the file. */
export interface ReadRequest {
  readonly task: "read" | "draw";
  readonly contentType: DocumentContentType;
  /** Of passengers, to compare with what is read. */
  readonly names: readonly string[];
}

/** Longer than any field of a zone, and than any name that a booking takes. */
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
const comparedName = z.object({ name: text, match: z.enum(["all", "some", "doubtful", "misread", "other"]) });

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
 * From the reader: what a script that found its way into it may say, too. `failed` is the kind of an error; a picture that was
 * drawn goes with the answer.
 */
export const readerAnswer = z.union([
  z.object({ read: reading }),
  z.object({ drawn: z.union([z.literal(true), faulty]) }),
  z.object({ failed: text }),
]);
export type ReaderAnswer = z.infer<typeof readerAnswer>;
