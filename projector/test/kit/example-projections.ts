import type { RecordedEvent } from "@travel-booking/engines/event-store";
import { positionSort } from "@travel-booking/engines/read-store";
import type { Change, Handler, Projection } from "../../src/index.ts";

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
      return [{ kind: "delete", model: "fleet.ship", key: event.stream }];
    }
    const state = evolve(documents.state<Ship>("fleet.ship", event.stream), event);
    return [{ kind: "put", model: "fleet.ship", key: event.stream, state }, logEntry(event, state)];
  },
};

/** A document per event: the ship right after it. */
function logEntry({ stream, revision, position }: RecordedEvent, ship: Ship): Change {
  return {
    kind: "put",
    model: "fleet.log",
    key: `${stream}/${revision}`,
    body: JSON.stringify(ship),
    indexes: { byShip: { partition: stream, sort: positionSort(position) } },
  };
}

/** Ships as folded states in a list, and a log of them. */
export const fleet: Projection = {
  name: "fleet",
  version: 1,
  models: {
    "fleet.ship": {
      represent(ship: Ship, { created }) {
        if (ship.crew.includes("unshowable")) throw new Error("can't be shown");
        const sort = ship.crew.includes("long") ? "x".repeat(5_000) : positionSort(created);
        return {
          body: JSON.stringify(ship),
          indexes: { all: { partition: "all", sort } },
        };
      },
    },
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
      reads: () => [],
      apply({ type, stream: key }): readonly Change[] {
        const model = "waiting.ship";
        const indexes = { all: { partition: "all", sort: key } };
        if (type === "Boarded") return [{ kind: "put", model, key, body: "{}", indexes }];
        return type === "Departed" ? [{ kind: "delete", model, key }] : [];
      },
    },
  },
};

/** Passengers on board of any ship, whose places never change while they are there. */
export const berths: Projection = {
  name: "berths",
  version: 1,
  models: {
    "berths.berth": {
      fixedIndexes: true,
      represent: ({ number, visits }: Berth, { created }) => ({
        body: JSON.stringify({ number, visits }),
        indexes: { all: { partition: "all", sort: `${number}/${positionSort(created)}` } },
      }),
    },
  },
  handlers: {
    ship: {
      reads: (event) => [{ model: "berths.berth", key: event.stream }],
      apply({ type, stream, position }, documents): readonly Change[] {
        const key = stream;
        const model = "berths.berth";
        if (type === "Scrapped") return [{ kind: "delete", model, key }];
        if (type === "Exploded") throw new Error("boom");
        const before = documents.state<Berth>(model, key);
        const { number, visits } = before ?? { number: Number(position % 7n), visits: 0 };
        return [{ kind: "put", model, key, state: { number, visits: visits + 1 } }];
      },
    },
  },
};

interface Berth {
  readonly number: number;
  readonly visits: number;
}
