/** The log position of the last write of each credential. */
export interface WritePositions {
  /** Positions only grow: a lower one than is known changes nothing. */
  record(credentialId: string, position: bigint): void | Promise<void>;
  positionOf(credentialId: string): bigint | undefined | Promise<bigint | undefined>;
}
