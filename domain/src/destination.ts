import { accept, type Command, type Decider, type DomainEvent } from "./shared/decision.ts";

export const CLIMATES = [
  "temperate",
  "tropical",
  "arid",
  "continental",
  "polar",
  "oceanic",
  "volcanic",
  "gaseous",
] as const;
export type Climate = (typeof CLIMATES)[number];

export interface Destination {
  readonly id: string;
  readonly name: string;
  readonly system: string;
  /** Light years from Earth. */
  readonly distanceLy: number;
  /** Earth's is 1. */
  readonly gravity: number;
  readonly climate: Climate;
}

export type DestinationListed = DomainEvent<"DestinationListed", Destination>;
export type DestinationChanged = DomainEvent<"DestinationChanged", Destination>;
export type DestinationEvent = DestinationListed | DestinationChanged;

/** Sent for each destination of the catalogue. The same destination again changes nothing. */
export type ListDestination = Command<"ListDestination", { readonly destination: Destination }>;

type DestinationState =
  | { readonly status: "unlisted" }
  | { readonly status: "listed"; readonly destination: Destination };

function same(one: Destination, other: Destination): boolean {
  return (
    one.id === other.id &&
    one.name === other.name &&
    one.system === other.system &&
    one.distanceLy === other.distanceLy &&
    one.gravity === other.gravity &&
    one.climate === other.climate
  );
}

/** The facts about one destination. Nothing is ever refused. */
export const destinationDecider: Decider<ListDestination, DestinationState, DestinationEvent, never> = {
  initialState: () => ({ status: "unlisted" }),
  decide({ destination }, state, at) {
    if (state.status === "unlisted") return accept({ type: "DestinationListed", at, data: destination });
    if (same(state.destination, destination)) return accept();
    return accept({ type: "DestinationChanged", at, data: destination });
  },
  evolve: (_, event) => ({ status: "listed", destination: event.data }),
};
