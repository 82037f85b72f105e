import type { CatalogueDestination } from "@travel-booking/api-contract";

/** A destination and its flights. */
export interface ServedDestination extends CatalogueDestination {
  /** Prefix of its flight ids. */
  readonly flightCode: string;
  /** Spaceports of departure, in rotation. */
  readonly from: readonly [string, ...string[]];
}

/**
 * Known exoplanets, nearest first. Distances in light years are published, from stellar parallaxes. Gravity comes from
 * published mass and radius. They are estimated if only a minimum mass is known. The climate is invented within the
 * limits of the star's light.
 */
export const DESTINATIONS: readonly ServedDestination[] = [
  {
    id: "proxima-centauri-b",
    name: "Proxima Centauri b",
    system: "Proxima Centauri",
    distanceLy: 4.24,
    gravity: 1.0,
    climate: "arid",
    flightCode: "PXB",
    from: ["LEO", "LUN"],
  },
  {
    id: "ross-128-b",
    name: "Ross 128 b",
    system: "Ross 128",
    distanceLy: 11.0,
    gravity: 1.1,
    climate: "temperate",
    flightCode: "RO128",
    from: ["LEO", "MAR"],
  },
  {
    id: "teegardens-star-b",
    name: "Teegarden's Star b",
    system: "Teegarden's Star",
    distanceLy: 12.5,
    gravity: 1.0,
    climate: "temperate",
    flightCode: "TEE",
    from: ["LUN", "LEO"],
  },
  {
    id: "wolf-1061-c",
    name: "Wolf 1061 c",
    system: "Wolf 1061",
    distanceLy: 14.1,
    gravity: 1.3,
    climate: "continental",
    flightCode: "WO1061",
    from: ["LEO", "MAR"],
  },
  {
    id: "trappist-1-e",
    name: "TRAPPIST-1 e",
    system: "TRAPPIST-1",
    distanceLy: 40.7,
    gravity: 0.8,
    climate: "temperate",
    flightCode: "TR1",
    from: ["LEO", "LUN", "MAR"],
  },
  {
    id: "55-cancri-e",
    name: "55 Cancri e",
    system: "55 Cancri",
    distanceLy: 41.1,
    gravity: 2.3,
    climate: "volcanic",
    flightCode: "CNC55",
    from: ["MAR", "LUN"],
  },
  {
    id: "lhs-1140-b",
    name: "LHS 1140 b",
    system: "LHS 1140",
    distanceLy: 48.8,
    gravity: 1.9,
    climate: "polar",
    flightCode: "LHS1140",
    from: ["LUN", "MAR"],
  },
  {
    id: "51-pegasi-b",
    name: "51 Pegasi b",
    system: "51 Pegasi",
    distanceLy: 50.6,
    gravity: 0.7,
    climate: "gaseous",
    flightCode: "PEG51",
    from: ["MAR", "CER"],
  },
  {
    id: "toi-700-d",
    name: "TOI-700 d",
    system: "TOI-700",
    distanceLy: 101.4,
    gravity: 1.1,
    climate: "continental",
    flightCode: "TOI700",
    from: ["LEO", "CER"],
  },
  {
    id: "k2-18-b",
    name: "K2-18 b",
    system: "K2-18",
    distanceLy: 124,
    gravity: 1.3,
    climate: "oceanic",
    flightCode: "K218",
    from: ["LUN", "CER"],
  },
  {
    id: "kepler-186f",
    name: "Kepler-186f",
    system: "Kepler-186",
    distanceLy: 579,
    gravity: 1.2,
    climate: "polar",
    flightCode: "KP186",
    from: ["CER", "TIT"],
  },
  {
    id: "kepler-22b",
    name: "Kepler-22b",
    system: "Kepler-22",
    distanceLy: 635,
    gravity: 1.6,
    climate: "tropical",
    flightCode: "KP22",
    from: ["LEO", "TIT"],
  },
  {
    id: "kepler-62f",
    name: "Kepler-62f",
    system: "Kepler-62",
    distanceLy: 981,
    gravity: 1.4,
    climate: "oceanic",
    flightCode: "KP62",
    from: ["MAR", "TIT"],
  },
  {
    id: "kepler-442b",
    name: "Kepler-442b",
    system: "Kepler-442",
    distanceLy: 1206,
    gravity: 1.3,
    climate: "temperate",
    flightCode: "KP442",
    from: ["LEO", "TIT"],
  },
];
