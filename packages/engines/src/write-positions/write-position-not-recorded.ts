/** Readers on other instances may not learn of the write: whoever answers it waits until all of them would see it. */
export class WritePositionNotRecorded extends Error {
  override readonly name = "WritePositionNotKept";
}
