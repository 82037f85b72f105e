/** What an audit takes for given, as a table written by hand: it need not trust the reading of the plan by the service. */
export interface Sold {
  /** By cabin, the same on every flight: the fare and the surcharge of every seat, in the smallest unit of the currency. */
  readonly cabins: Readonly<
    Record<string, { readonly fare: number; readonly surcharges: Readonly<Record<string, number>> }>
  >;
}
