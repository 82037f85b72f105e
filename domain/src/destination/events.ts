import type { DomainEvent } from "../shared/decision.ts";

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
  /** Relative to Earth. */
  readonly gravity: number;
  readonly climate: Climate;
}

export type DestinationListed = DomainEvent<"DestinationListed", Destination>;
export type DestinationChanged = DomainEvent<"DestinationChanged", Destination>;
export type DestinationEvent = DestinationListed | DestinationChanged;
