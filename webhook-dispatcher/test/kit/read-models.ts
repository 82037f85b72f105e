import type { Delete } from "@travel-booking/engines/read-store";
import { type TemporaryReadStore, temporaryReadStore } from "@travel-booking/engines/read-store/testing";
import {
  ACCOUNTS,
  type AccountRow,
  EVENT_FEEDS,
  EVENTS,
  FLIGHTS,
  ownedKey,
  WEBHOOKS,
} from "@travel-booking/read-models";
import {
  OpenedReadModels,
  type OpenPut,
  SealedDocuments,
  type SealedWords,
} from "@travel-booking/read-models/sealed-words";
import {
  type EndpointFixture,
  type EventFixture,
  EventFixtures,
  type ExpiredHold,
  expiredHold,
  type FailingEndpoint,
  failingEndpoint,
  putAccount,
  putEndpoint,
} from "@travel-booking/read-models/testing";

/** The read models of the dispatcher, written by hand. */
export class FixtureReadModels {
  readonly opened: OpenedReadModels;
  readonly close: () => Promise<void>;
  position = 0n;
  readonly #events = new EventFixtures();

  readonly #documents: SealedDocuments;

  private constructor({ store, close }: TemporaryReadStore, words: SealedWords) {
    this.opened = new OpenedReadModels(store, words);
    this.#documents = new SealedDocuments(store, words);
    this.close = close;
  }

  static async open(words: SealedWords): Promise<FixtureReadModels> {
    const temporary = temporaryReadStore();
    const { store } = temporary;
    for (const { projection } of [ACCOUNTS, ...EVENT_FEEDS]) {
      await store.switchLive(await store.create(projection, 1));
    }
    return new FixtureReadModels(temporary, words);
  }

  /** An endpoint, of an active account. */
  async endpoint(endpoint: EndpointFixture): Promise<void> {
    await this.#write(WEBHOOKS.projection, (position) => [putEndpoint(position, endpoint)]);
    await this.#writeAt(this.position, ACCOUNTS.projection, [
      putAccount(this.position, { id: endpoint.accountId, status: "active" }),
    ]);
  }

  async account(id: string, status: AccountRow["status"]): Promise<void> {
    await this.#write(ACCOUNTS.projection, (position) => [putAccount(position, { id, status })]);
  }

  /** It gets the events that it got. */
  async changeEndpoint(accountId: string, endpointId: string, changes: Partial<EndpointFixture>): Promise<void> {
    const { created = 0n, state } =
      (await this.opened.document(WEBHOOKS.endpoint.model, ownedKey(accountId, endpointId))) ?? {};
    const { document, ...put } = putEndpoint(created, { ...(state as EndpointFixture), ...changes });
    await this.#write(WEBHOOKS.projection, (position) => [{ ...put, document: { ...document, position } }]);
  }

  async removeEndpoint(accountId: string, endpointId: string): Promise<void> {
    const key = ownedKey(accountId, endpointId);
    await this.#write(WEBHOOKS.projection, (position) => [
      { kind: "delete", model: WEBHOOKS.endpoint.model, key, position },
    ]);
  }

  /** Returns the id of the event: `evt_` and its position. */
  async event(event: EventFixture): Promise<string> {
    let id = "";
    await this.#write(EVENTS.projection, (position) => {
      const written = this.#events.write(position, event);
      id = written.id;
      return written.writes;
    });
    return id;
  }

  /** Returns the id of the event. */
  async holdExpired(hold: ExpiredHold): Promise<string> {
    let id = "";
    await this.#write(FLIGHTS.projection, (position) => {
      const written = expiredHold(position, hold);
      id = written.id;
      return written.writes;
    });
    return id;
  }

  /** Returns the id of the event. */
  async endpointFailing(endpoint: FailingEndpoint): Promise<string> {
    let id = "";
    await this.#write(WEBHOOKS.projection, (position) => {
      const written = failingEndpoint(position, endpoint);
      id = written.id;
      return [written.write];
    });
    return id;
  }

  async #write(projection: string, writesAt: (position: bigint) => readonly (OpenPut | Delete)[]): Promise<void> {
    const position = this.position + 1n;
    await this.#writeAt(position, projection, writesAt(position));
    this.position = position;
  }

  async #writeAt(checkpoint: bigint, projection: string, writes: readonly (OpenPut | Delete)[]): Promise<void> {
    await this.#documents.write([{ projection, generation: 1, writes, checkpoint }]);
    this.opened.refresh();
  }
}
