import { writeText } from "./keys.ts";

/** Bytes that LMDB copies at once: written again and again, so that no write leaves a buffer behind. */
export class Scratch {
  /** LMDB takes those from `start` to `end`. */
  readonly bytes: Buffer & { start?: number; end?: number };
  #end = 0;
  #isCutOff = false;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
    this.bytes.start = 0;
  }

  /** Whether not all of it fits. */
  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  begin(): this {
    this.#isCutOff = false;
    return this.#endAt(0);
  }

  byte(value: number): this {
    if (this.#end === this.bytes.length) this.#isCutOff = true;
    this.bytes[this.#end] = value;
    return this.#endAt(Math.min(this.#end + 1, this.bytes.length));
  }

  text(value: string): this {
    const end = writeText(value, this.bytes, this.#end, this.bytes.length);
    if (end < 0) this.#isCutOff = true;
    return this.#endAt(end < 0 ? this.bytes.length : end);
  }

  copyTo(target: Uint8Array, start: number): number {
    target.set(this.bytes.subarray(0, this.#end), start);
    return start + this.#end;
  }

  #endAt(end: number): this {
    this.#end = end;
    this.bytes.end = end;
    return this;
  }
}
