/** There is no browser to print with. The message says what to do. */
export class NoBrowser extends Error {
  override readonly name = "NoBrowser";
}

/** So many pages wait to be printed that another one had better come later. */
export class PrinterBusy extends Error {
  override readonly name = "PrinterBusy";
}

/** A page took too long. */
export class PageTimeout extends Error {
  override readonly name = "PageTimeout";
}
