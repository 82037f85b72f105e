import { randomUUID } from "node:crypto";
import { InMemoryEventStore } from "@travel-booking/engines/event-store/testing";
import { positionSort, type ReadModels } from "@travel-booking/engines/read-store";
import type { Change, Projection } from "@travel-booking/projector";

interface Ship {
  readonly crew: readonly string[];
}

const SHIP = "boarding.ship";
const LOG = "boarding.log";

/** Ships and a log of them. An event that a ship has seen already is a fault, as it is in the rules of a domain. */
export const boarding: Projection = {
  name: "boarding",
  version: 1,
  models: {
    [SHIP]: {
      represent: (ship: Ship, { key }) => ({
        body: JSON.stringify(ship),
        indexes: { all: { partition: "all", sort: key } },
      }),
    },
  },
  handlers: {
    ship: {
      reads: ({ stream }) => [{ model: SHIP, key: stream }],
      apply({ stream, position, data }, documents): readonly Change[] {
        const name = (data as { readonly name: string }).name;
        const crew = documents.state<Ship>(SHIP, stream)?.crew ?? [];
        if (crew.includes(name)) throw new Error(`${name} is on board already`);
        const ship = { crew: [...crew, name] };
        const persons = ship.crew.map((name) => listed("boarding.person", name, { ship: stream }));
        const entry = listed(LOG, positionSort(position), { stream, before: crew.length });
        return [{ kind: "put", model: SHIP, key: stream, state: ship }, ...persons, entry];
      },
    },
  },
};

function listed(model: string, key: string, body: unknown): Change {
  return { kind: "put", model, key, body: JSON.stringify(body), indexes: { all: { partition: "all", sort: key } } };
}

/** A log in memory to which people board ships. */
export class BoardingLog {
  readonly store = new InMemoryEventStore();
  readonly #crews = new Map<string, number>();

  async board(...ships: readonly string[]): Promise<void> {
    for (const ship of ships) {
      const revision = (this.#crews.get(ship) ?? 0) - 1;
      this.#crews.set(ship, revision + 2);
      const data = { name: `${ship}'s ${revision + 2}.` };
      const event = { id: randomUUID(), type: "Boarded", version: 1, at: 0, data, metadata: METADATA };
      await this.store.append(`ship-${ship}`, revision, [event]);
    }
  }
}

const METADATA = {
  accountId: null,
  actor: { kind: "system", id: "test" },
  requestId: null,
  commandId: "command",
  causationId: null,
} as const;

/** Everything readers can see. */
export async function allBoarded(models: ReadModels): Promise<unknown> {
  models.refresh();
  const list = async (model: string) => {
    const items = await models.page(model, { index: "all", partition: "all", order: "ascending", limit: 1_000 });
    return Promise.all(items.map(({ key }) => models.document(model, key)));
  };
  return { ships: await list(SHIP), log: await list(LOG), people: await list("boarding.person") };
}
