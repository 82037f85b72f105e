import { accept, type Decider, type DomainEvent, reject } from "@travel-booking/domain";

/** The smallest aggregate there is, to test how commands are handled and not what they decide. */
export type Counted = DomainEvent<"Counted", { readonly by: number }>;
export interface Count {
  readonly type: "Count";
  readonly by: number;
}
export interface CountState {
  total: number;
}

/** Counts up to a hundred. */
export const counterDecider: Decider<Count, CountState, Counted, "full"> = {
  initialState: () => ({ total: 0 }),
  decide({ by }, state, at) {
    if (state.total + by > 100) return reject("full", { total: state.total });
    return by === 0 ? accept() : accept({ type: "Counted", at, data: { by } });
  },
  evolve(state, event) {
    state.total += event.data.by;
    return state;
  },
};

/** The same, with states that can be copied. */
export const copyableCounter: typeof counterDecider = { ...counterDecider, copy: (state) => ({ ...state }) };
