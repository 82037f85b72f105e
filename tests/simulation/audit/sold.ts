/** By cabin: the fare and the surcharge of every seat, in the smallest unit of the currency. */
export type SoldCabins = Readonly<
  Record<string, { readonly fare: number; readonly surcharges: Readonly<Record<string, number>> }>
>;

/** What an audit takes for given, as a table written by hand: it need not trust the reading of the plan by the service. */
export interface Sold {
  /** The same on every flight. */
  readonly cabins: SoldCabins;
  /** The cabins of the only other ship, another number of them, where no seat has a surcharge. Absent: there is none. */
  readonly otherShip?: SoldCabins;
}

/** The ship with so many cabins. */
export function shipWith(sold: Sold, cabins: number): SoldCabins {
  const { otherShip } = sold;
  return otherShip !== undefined && Object.keys(otherShip).length === cabins ? otherShip : sold.cabins;
}
