const MAX_STREAMS = 50_000;

/**
 * The last revision of each stream that was used lately, as of its last append, flushed or not; `NO_STREAM` for a stream
 * without events. Two maps take turns, so that forgetting costs nothing: an entry stays for at least the next
 * `MAX_STREAMS` streams.
 */
export class StreamHeads {
  #recent = new Map<string, number>();
  #older = new Map<string, number>();

  get(stream: string): number | undefined {
    const recent = this.#recent.get(stream);
    if (recent !== undefined) return recent;
    const older = this.#older.get(stream);
    if (older !== undefined) this.#recent.set(stream, older);
    return older;
  }

  set(stream: string, revision: number): void {
    this.#recent.set(stream, revision);
  }

  /**
   * Forgets streams if there are many. Call it after each flush: what was appended since then is still remembered, and
   * what is not comes from the disk.
   */
  trim(): void {
    if (this.#recent.size < MAX_STREAMS) return;
    this.#older = this.#recent;
    this.#recent = new Map();
  }
}
