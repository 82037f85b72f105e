import type { FileFault } from "./reading.ts";

/** What the owner of a refused file is told. */
export const FAULT_REASONS: Readonly<Record<FileFault, string>> = {
  encrypted: "The file is encrypted; upload it without a password.",
  active_content: "The file contains scripts or actions; upload a plain scan.",
  embedded_files: "The file contains other files; upload a plain scan.",
  mixed_formats: "The file is of more than one format at once; upload a plain scan.",
  too_many_pages: "The file has too many pages; upload the pages of one document.",
  too_large_unpacked: "The file becomes too large when it is unpacked; upload a plain scan.",
  image_too_large: "The picture has too many pixels; upload a smaller scan.",
  damaged: "The file is damaged; upload it again.",
};

export const WRONG_CHECK_DIGITS = "The check digits of the machine-readable zone are wrong.";
export const NAME_OF_NO_PASSENGER = "The name on the document is that of no passenger of the booking.";
export const EXPIRED = "The document has expired.";

/** @param until the first day that would do, `YYYY-MM-DD`. */
export function expiresTooSoon(until: string): string {
  return `The document must be valid until ${until} at least, six months after departure.`;
}
