/** The log position of the last write of each credential. */
export interface WritePositions {
  /**
   * A lower position than the recorded one changes nothing.
   * @throws Error readers on other instances may miss the write, so its answer has to wait until all read models have it.
   */
  record(credentialId: string, position: bigint): void | Promise<void>;
  positionOf(credentialId: string): bigint | undefined | Promise<bigint | undefined>;
  /** Of all credentials: another log has taken the place of the one they are of. */
  forgetAll(): void | Promise<void>;
}
