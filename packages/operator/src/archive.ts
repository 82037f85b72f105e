import { type FileHandle, open } from "node:fs/promises";

/** Bytes of a record in a tar archive (POSIX.1-1988, ustar). */
const BLOCK = 512;
const END = Buffer.alloc(2 * BLOCK);

/** A line of the service's response. */
export interface ArchiveLine {
  readonly title?: string;
  readonly name?: string;
  readonly about?: string;
  readonly record?: unknown;
  readonly base64?: string;
  readonly end?: true;
}

interface Entry {
  readonly name: string;
  /** To be read before the next entry. */
  readonly pieces: AsyncIterable<Buffer>;
}

/**
 * The entries of an archive: JSON lines, files, and at last a page that explains each.
 * @throws Error the response ended before its end.
 */
async function* entriesOf(lines: AsyncGenerator<ArchiveLine>): AsyncGenerator<Entry> {
  let line = await lines.next();
  const index = [`${line.value?.title}`, ""];
  line = await lines.next();
  while (line.done !== true && line.value.end !== true) {
    const { name, about } = line.value;
    let [records, bytes] = [0, 0];
    const pieces = async function* () {
      for (;;) {
        line = await lines.next();
        const { record, base64 }: ArchiveLine = line.done === true ? {} : line.value;
        if (record === undefined && base64 === undefined) return;
        if (record !== undefined) records += 1;
        const piece = base64 === undefined ? Buffer.from(`${JSON.stringify(record)}\n`) : Buffer.from(base64, "base64");
        bytes += piece.length;
        yield piece;
      }
    };
    yield { name: String(name), pieces: pieces() };
    index.push(`${name}  ${records > 0 ? `${records} lines of JSON` : `${bytes} bytes`}`, `    ${about}`);
  }
  if (line.done === true) throw new Error("the service ended it before the end: the archive is not whole");
  const text = Buffer.from(`${index.join("\n")}\n`);
  yield {
    name: "index.txt",
    pieces: (async function* () {
      yield text;
    })(),
  };
}

/**
 * Writes a response of the service into a new tar archive, whatever its size, and returns that.
 * @throws OperatorRefused nothing is written.
 */
export async function writeArchive(lines: AsyncGenerator<ArchiveLine>, file: string): Promise<number> {
  const entries = entriesOf(lines);
  let entry = await entries.next();
  // Only this user may read personal data, and no file is overwritten.
  const handle = await open(file, "wx", 0o600);
  try {
    let at = 0;
    for (; entry.done !== true; entry = await entries.next()) {
      // The head of an entry holds its size, so it is written when the entry ends.
      const head = at;
      at += BLOCK;
      for await (const piece of entry.value.pieces) at = await written(handle, piece, at);
      const size = at - head - BLOCK;
      at = await written(handle, paddingOf(size), at);
      await written(handle, headOf(entry.value.name, size), head);
    }
    await written(handle, END, at);
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/** The same in pieces, for a response of a person's size: each entry is in memory for a moment. */
export async function* archivePieces(lines: AsyncGenerator<ArchiveLine>): AsyncGenerator<Buffer> {
  for await (const { name, pieces } of entriesOf(lines)) {
    const content = Buffer.concat(await Array.fromAsync(pieces));
    yield headOf(name, content.length);
    yield content;
    yield paddingOf(content.length);
  }
  yield END;
}

/** Returns the place behind. */
async function written(handle: FileHandle, bytes: Buffer, at: number): Promise<number> {
  for (let done = 0; done < bytes.length; )
    done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
  return at + bytes.length;
}

const paddingOf = (size: number) => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);

/** Numbers are octal digits. The checksum is computed with blanks in its own place. */
function headOf(name: string, size: number): Buffer {
  const head = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");
  head.write(name, 0, 100);
  head.write(octal(0o600, 7), 100);
  head.write(octal(0, 7), 108);
  head.write(octal(0, 7), 116);
  head.write(octal(size, 11), 124);
  head.write(octal(Math.floor(Date.now() / 1000), 11), 136);
  head.write(" ".repeat(8), 148);
  head.write("0", 156);
  head.write("ustar\u000000", 257);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${octal(sum, 6)}\0 `, 148);
  return head;
}
