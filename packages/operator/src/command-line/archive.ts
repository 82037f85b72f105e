import { type FileHandle, open } from "node:fs/promises";
import { type OperatorSession, row } from "./session.ts";

/** Bytes of a record in a tar archive (POSIX.1-1988, ustar). */
const BLOCK = 512;

/**
 * Writes a response of the service into a new tar archive: JSON lines, files, and a page that explains each entry.
 * @throws OperatorRefused nothing is written.
 */
export async function writeArchive({ client, output }: OperatorSession, path: string, file: string): Promise<void> {
  const lines = client.lines("GET", path);
  const first = await lines.next();
  // Only this user may read personal data, and no file is overwritten.
  const handle = await open(file, "wx", 0o600);
  try {
    const archive = new TarArchive(handle);
    const { title } = row(first.value);
    const index = [`${title}`, ""];
    let entry: { readonly name: string; readonly about: string; records: number } | undefined;
    const endEntry = async () => {
      if (entry === undefined) return;
      const bytes = await archive.end();
      const amount = entry.records > 0 ? `${entry.records} lines of JSON` : `${bytes} bytes`;
      index.push(`${entry.name}  ${amount}`, `    ${entry.about}`);
    };
    let isWhole = false;
    for await (const line of lines) {
      const { name, about, record, base64, end } = row(line);
      if (typeof name === "string") {
        await endEntry();
        entry = { name, about: String(about), records: 0 };
        await archive.begin(name);
      } else if (typeof base64 === "string") {
        await archive.write(Buffer.from(base64, "base64"));
      } else if (record !== undefined) {
        if (entry !== undefined) entry.records += 1;
        await archive.write(Buffer.from(`${JSON.stringify(record)}\n`));
      } else if (end === true) isWhole = true;
    }
    if (!isWhole) throw new Error(`the service ended it before the end: ${file} is not whole`);
    await endEntry();
    await archive.begin("index.txt");
    await archive.write(Buffer.from(`${index.join("\n")}\n`));
    await archive.end();
    await archive.finish();
    await handle.sync();
    await output.value({ path: file, bytes: (await handle.stat()).size });
  } finally {
    await handle.close();
  }
}

/** Written front to back. The head of an entry holds its size, so it is written when the entry ends. */
class TarArchive {
  readonly #file: FileHandle;
  #name = "";
  /** The places of the current entry's head and of the next byte. */
  #head = 0;
  #at = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async begin(name: string): Promise<void> {
    this.#name = name;
    this.#head = this.#at;
    await this.write(Buffer.alloc(BLOCK));
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      done += (await this.#file.write(bytes, done, bytes.length - done, this.#at + done)).bytesWritten;
    }
    this.#at += bytes.length;
  }

  /** Ends the entry and returns its size in bytes. */
  async end(): Promise<number> {
    const size = this.#at - this.#head - BLOCK;
    await this.write(Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK));
    const next = this.#at;
    this.#at = this.#head;
    await this.write(headOf(this.#name, size));
    this.#at = next;
    return size;
  }

  async finish(): Promise<void> {
    await this.write(Buffer.alloc(2 * BLOCK));
  }
}

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
