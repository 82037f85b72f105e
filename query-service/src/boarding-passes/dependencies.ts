import type { BoardingPassPrinter } from "@travel-booking/boarding-pass-printer";
import type { WritePositions } from "@travel-booking/engines/write-positions";

/** What boarding passes take besides reading. */
export interface BoardingPassDependencies {
  /**
   * Makes sure that a confirmed booking has seats, by asking those who decide; answers the log position that shows what
   * came of it.
   */
  readonly assignSeats: (bookingId: string) => Promise<bigint>;
  /** Where that position is left for the credential, which reads it as its own write. */
  readonly positions: Pick<WritePositions, "record">;
  readonly printer: BoardingPassPrinter;
}
