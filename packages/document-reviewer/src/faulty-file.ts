import type { FileFault } from "@travel-booking/domain";

/** The file is not one that is read. */
export class FaultyFile extends Error {
  override readonly name = "FaultyFile";
  readonly fault: FileFault;

  constructor(fault: FileFault) {
    super(fault);
    this.fault = fault;
  }
}
