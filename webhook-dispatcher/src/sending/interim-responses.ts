/** The beginning of every interim response, except the one that changes the protocol. */
const INTERIM = /^HTTP\/1\.\d 1(?!01)\d\d[ \r\n]/;
const BEGINNING_BYTES = "HTTP/1.1 100 ".length;
const [CR, LF] = [0x0d, 0x0a];

/**
 * Takes the interim responses (1xx) out of the bytes of an answer. A client has to skip them (RFC 9110 §15.2), but
 * undici gives up at an unrequested `100 Continue`. Keeps at most the first bytes of a response.
 */
export class InterimResponses {
  #state: "beginning" | "interim" | "final" = "beginning";
  #beginning = Buffer.alloc(0);
  /** True if the current line is empty so far. Then the next line end ends the head. */
  #isLineEmpty = false;

  /** Prepares for another answer. */
  restart(): void {
    this.#state = "beginning";
    this.#beginning = Buffer.alloc(0);
  }

  /** Returns the part of this piece that belongs to the final response. It may be empty. */
  take(piece: Buffer): Buffer {
    let rest = piece;
    while (this.#state !== "final") {
      if (this.#state === "interim") rest = this.#skipHead(rest);
      if (this.#state === "interim") return rest;
      this.#beginning = Buffer.concat([this.#beginning, rest]);
      // Blank lines before a response are ignored (RFC 9112 §2.2).
      const start = this.#beginning.findIndex((byte) => byte !== CR && byte !== LF);
      const line = start === -1 ? Buffer.alloc(0) : this.#beginning.subarray(start);
      if (line.length < BEGINNING_BYTES && "HTTP/1.".startsWith(line.toString("latin1", 0, 7))) {
        this.#beginning = Buffer.from(line);
        return Buffer.alloc(0);
      }
      if (!INTERIM.test(line.toString("latin1", 0, BEGINNING_BYTES))) {
        this.#state = "final";
        return line;
      }
      this.#state = "interim";
      this.#isLineEmpty = false;
      this.#beginning = Buffer.alloc(0);
      rest = line;
    }
    return rest;
  }

  /** Returns the bytes after the head; none if its end has not come yet. */
  #skipHead(piece: Buffer): Buffer {
    for (let at = 0; at < piece.length; at += 1) {
      if (piece[at] === LF) {
        if (this.#isLineEmpty) {
          this.#state = "beginning";
          return piece.subarray(at + 1);
        }
        this.#isLineEmpty = true;
      } else if (piece[at] !== CR) this.#isLineEmpty = false;
    }
    return Buffer.alloc(0);
  }
}
