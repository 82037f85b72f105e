import { EngineUnavailable } from "../unavailable.ts";

/** The engine is out of reach, or its disk fails. */
export class BlobStoreUnavailable extends EngineUnavailable {
  override readonly name = "BlobStoreUnavailable";
  override readonly engine = "the blob store";
}

/** More content than is taken. */
export class BlobTooLarge extends Error {
  override readonly name = "BlobTooLarge";
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** Other content has this key already. */
export class BlobExists extends Error {
  override readonly name = "BlobExists";

  constructor(key: string) {
    super(`${key} is taken by other content`);
  }
}

export class InvalidBlobKey extends Error {
  override readonly name = "InvalidBlobKey";

  constructor() {
    super("a key is 1 to 200 printable ASCII characters, without spaces");
  }
}

/** What is stored is not what was put. */
export class DamagedBlob extends Error {
  override readonly name = "DamagedBlob";

  constructor(key: string) {
    super(`${key} is not what was stored`);
  }
}
