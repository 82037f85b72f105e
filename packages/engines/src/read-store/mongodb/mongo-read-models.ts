import { type Collection, type Db, type Filter, type FindOptions, MongoServerError } from "mongodb";
import { type MongoConnection, READ_TIMEOUT_MS, translateMongoErrors } from "../../mongodb/index.ts";
import {
  type Body,
  type CountRequest,
  type Document,
  isStorable,
  MAX_PAGE_CHARACTERS,
  type PageItem,
  type PageRequest,
  type ReadModels,
  ReadStoreUnavailable,
  type Versions,
} from "../index.ts";
import { collectionOf } from "./collections.ts";
import { LiveGenerations } from "./live-generations.ts";
import { ProjectionRecords } from "./projection-records.ts";
import { partitionField, type Stored, type StoredDocument, sortField, toDocument } from "./stored-document.ts";

/** The read models of one database. */
export class MongoReadModels implements ReadModels {
  protected readonly db: Db;
  protected readonly live: LiveGenerations;

  constructor(db: Db, live: LiveGenerations) {
    this.db = db;
    this.live = live;
  }

  async body(model: string, key: string): Promise<Body | undefined> {
    const fields = { body: 1, staleAt: 1 };
    const stored = await this.#findOne<Pick<StoredDocument, "body" | "staleAt">>(model, key, fields);
    // Tombstones have no body either.
    if (typeof stored?.body !== "string") return undefined;
    return { json: stored.body, staleAt: stored.staleAt, size: stored.body.length };
  }

  async document(model: string, key: string): Promise<Document | undefined> {
    return toDocument(await this.#findOne<Stored>(model, key));
  }

  async page(model: string, request: PageRequest): Promise<readonly PageItem[]> {
    if (request.limit < 1 || !isStorable(request.partition)) return [];
    const { filter, options } = pageQuery(request);
    const found = await this.#fromLive(model, async (collection) => {
      const items: PageItem[] = [];
      let characters = 0;
      for await (const stored of collection.find<StoredDocument>(filter, options)) {
        const { _id: key, body, staleAt, [sortField(request.index)]: sort = "" } = stored;
        const json = body ?? "";
        characters += json.length;
        const isFull = characters >= MAX_PAGE_CHARACTERS;
        items.push({ key, sort, json, staleAt, size: json.length, ...(isFull && { more: true }) });
        if (isFull) break;
      }
      return items.length === 0 ? null : items;
    });
    return found ?? [];
  }

  async count(model: string, request: CountRequest): Promise<number> {
    if (!isStorable(request.partition)) return 0;
    const { filter } = pageQuery({ ...request, order: "ascending" });
    const options = { limit: request.limit, maxTimeMS: READ_TIMEOUT_MS };
    const read = async (collection: Collection<Stored>) => (await collection.countDocuments(filter, options)) || null;
    return (await this.#fromLive(model, read)) ?? 0;
  }

  refresh(): void {
    this.live.refresh();
  }

  async #findOne<Part>(model: string, key: string, projection?: Readonly<Record<string, number>>) {
    if (!isStorable(key)) return undefined;
    const options = { maxTimeMS: READ_TIMEOUT_MS, ...(projection && { projection }) };
    return this.#fromLive(model, (collection) => collection.findOne<Part & Stored>({ _id: key }, options));
  }

  /**
   * Reads from the live generation. If nothing is found, or the server refuses, that generation may have been replaced
   * and dropped since the last load. Then this reads from the new one.
   */
  async #fromLive<Found>(
    model: string,
    read: (collection: Collection<Stored>) => Promise<Found | null>,
  ): Promise<Found | undefined> {
    const [projection = ""] = model.split(".", 1);
    let live = await this.live.fresh(projection);
    while (live !== undefined) {
      const collection = collectionOf(this.db, model, live.id);
      let refused: ReadStoreUnavailable | undefined;
      try {
        const found = await translateMongoErrors(ReadStoreUnavailable, () => read(collection));
        if (found !== null) return found;
      } catch (error) {
        if (!(error instanceof ReadStoreUnavailable && error.cause instanceof MongoServerError)) throw error;
        refused = error;
      }
      const now = await this.live.reloaded(projection);
      if (now?.id !== live.id) live = now;
      else if (refused !== undefined) throw refused;
      else return undefined;
    }
    return undefined;
  }
}

/**
 * For a process that only reads, and is notified of changes: see `MongoProgress`. It does not close the connection.
 * @param versions generations of other versions are not read.
 */
export function openMongoReadModels({ db }: MongoConnection, versions?: Versions): ReadModels {
  return new MongoReadModels(db, new LiveGenerations(new ProjectionRecords(db), versions));
}

/** The query for one page, answered in one message if it fits. */
function pageQuery({ index, partition, order, limit, after, from, before }: PageRequest) {
  const sort = sortField(index);
  const isAscending = order === "ascending";
  const below = (isAscending ? [before] : [before, after]).filter((bound) => bound !== undefined).sort()[0];
  const bounds = {
    ...(from !== undefined && { $gte: from }),
    ...(isAscending && after !== undefined && { $gt: after }),
    ...(below !== undefined && { $lt: below }),
  };
  const filter: Filter<Stored> = {
    [partitionField(index)]: partition,
    ...(Object.keys(bounds).length > 0 && { [sort]: bounds }),
  };
  const options: FindOptions = {
    sort: { [sort]: isAscending ? 1 : -1 },
    limit,
    // Larger than the limit, so that the server sees at once that nothing is left to fetch.
    batchSize: limit + 1,
    projection: { body: 1, staleAt: 1, [sort]: 1 },
    maxTimeMS: READ_TIMEOUT_MS,
  };
  return { filter, options };
}
