/** The log position of the last write of each credential. */
export interface WritePositions {
  /**
   * A position below the recorded one changes nothing.
   * @throws Error readers on other instances may miss the write. Its response must wait until all read models have it.
   */
  record(credentialId: string, position: bigint): void | Promise<void>;
  positionOf(credentialId: string): bigint | undefined | Promise<bigint | undefined>;
  /** Forgets the positions of all credentials, because another log has replaced the one they belong to. */
  forgetAll(): void | Promise<void>;
}
