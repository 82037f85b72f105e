/** The log position of the last write of each credential. */
export interface WritePositions {
  /** Positions only grow: a lower one than is known changes nothing. */
  record(credentialId: string, position: bigint): void | Promise<void>;
  positionOf(credentialId: string): bigint | undefined | Promise<bigint | undefined>;
}

/** Readers on other instances may not learn of the write: whoever answers it waits until all of them would see it. */
export class WritePositionNotRecorded extends Error {
  override readonly name = "WritePositionNotKept";
}
