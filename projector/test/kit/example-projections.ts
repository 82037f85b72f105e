import type { RecordedEvent } from "@travel-booking/engines/event-store";
import type { Write } from "@travel-booking/engines/read-store";
import { positionSort } from "@travel-booking/engines/read-store";
import { type Change, foldedModel, type Handler, type Projection } from "../../src/index.ts";
import { removal } from "../../src/projection.ts";

export interface Ship {
  id: string;
  crew: string[];
  departed: boolean;
}

/** Folds as a domain's `evolve` does: it changes the given state. */
function evolve(state: Ship | undefined, event: RecordedEvent): Ship {
  const name = (event.data as { name: string }).name;
  const ship = state ?? { id: event.stream.slice("ship-".length), crew: [], departed: false };
  if (event.type === "Boarded") ship.crew.push(name);
  if (event.type === "Departed") ship.departed = true;
  if (event.type === "Exploded") {
    ship.crew.length = 0;
    throw new Error("boom");
  }
  return ship;
}

const fleetOfShip: Handler = {
  reads: (event) => [{ model: "fleet.ship", key: event.stream }],
  apply(event, documents): readonly Change[] {
    if (event.type === "Scrapped") {
      return [{ kind: "delete", model: "fleet.ship", key: event.stream, position: event.position }];
    }
    const state = evolve(documents.state<Ship>("fleet.ship", event.stream), event);
    return [{ kind: "fold", model: "fleet.ship", key: event.stream, state }, logEntry(event, state)];
  },
};

/** A document per event: the ship right after it. */
function logEntry({ stream, revision, position }: RecordedEvent, ship: Ship): Write {
  return {
    kind: "put",
    model: "fleet.log",
    document: {
      key: `${stream}/${revision}`,
      position,
      created: position,
      body: JSON.stringify(ship),
      state: null,
      indexes: { byShip: { partition: stream, sort: positionSort(position) } },
      staleAt: null,
    },
  };
}

/** Ships as folded states in a list, and a log of them. */
export const fleet: Projection = {
  name: "fleet",
  version: 1,
  models: {
    "fleet.ship": foldedModel<Ship>((ship, { created, position }) => {
      if (ship.crew.includes("unshowable")) throw new Error("can't be shown");
      return {
        body: JSON.stringify({ ...ship, position: String(position) }),
        indexes: {
          all: { partition: "all", sort: ship.crew.includes("long") ? "x".repeat(5_000) : positionSort(created) },
        },
        staleAt: null,
      };
    }),
  },
  handlers: { ship: fleetOfShip },
};

/** Ships that wait for departure; reads no documents. */
export const waiting: Projection = {
  name: "waiting",
  version: 1,
  models: {},
  handlers: {
    ship: {
      apply({ type, stream, position }): readonly Change[] {
        if (type === "Boarded") {
          const indexes = { all: { partition: "all", sort: stream } };
          const document = {
            key: stream,
            position,
            created: position,
            body: "{}",
            state: null,
            indexes,
            staleAt: null,
          };
          return [{ kind: "put", model: "waiting.ship", document }];
        }
        return type === "Departed" ? [{ kind: "delete", model: "waiting.ship", key: stream, position }] : [];
      },
    },
  },
};

/** Passengers on board of any ship, whose places never change while they are there. */
export const berths: Projection = {
  name: "berths",
  version: 1,
  models: {
    "berths.berth": foldedModel<Berth>(
      ({ number, visits }, { created }) => ({
        body: JSON.stringify({ number, visits }),
        indexes: placeOfBerth(number, created),
        staleAt: null,
      }),
      { fixedIndexes: true },
    ),
  },
  handlers: {
    ship: {
      reads: (event) => [{ model: "berths.berth", key: event.stream }],
      apply({ type, stream, position }, documents): readonly Change[] {
        const key = stream;
        const model = "berths.berth";
        const before = documents.state<Berth>(model, key);
        if (type === "Scrapped") {
          if (before === undefined) return [];
          const place = placeOfBerth(before.number, documents.created(model, key) ?? 0n);
          return [removal(documents, { model, key }, position, place)];
        }
        if (type === "Exploded") throw new Error("boom");
        const { number, visits } = before ?? { number: Number(position % 7n), visits: 0 };
        return [{ kind: "fold", model, key, state: { number, visits: visits + 1 } }];
      },
    },
  },
};

function placeOfBerth(number: number, created: bigint) {
  return { all: { partition: "all", sort: `${number}/${positionSort(created)}` } };
}

interface Berth {
  readonly number: number;
  readonly visits: number;
}
