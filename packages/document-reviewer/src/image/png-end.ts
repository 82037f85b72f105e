const SIGNATURE_LENGTH = 8;
/** Length before, name, check sum behind. */
const AROUND_DATA = 12;

/** Where a PNG ends, by its own chunks (PNG specification, section 5); undefined where they do not come to an end. */
export function endOfPng(content: Buffer): number | undefined {
  let at = SIGNATURE_LENGTH;
  while (at + AROUND_DATA <= content.length) {
    const name = content.toString("latin1", at + 4, at + 8);
    at += AROUND_DATA + content.readUInt32BE(at);
    if (name === "IEND") return at <= content.length ? at : undefined;
  }
  return undefined;
}
