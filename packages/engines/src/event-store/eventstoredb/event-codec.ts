import type { RecordedEvent as ReadEvent } from "@eventstore/db-client";
import type { Actor, EventToAppend, RecordedEvent } from "../port.ts";

/** An event as it is sent: JSON in UTF-8. */
export interface EncodedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/**
 * The stored metadata of an event. Correlation and causation ids have the names that projections of EventStoreDB use.
 */
interface StoredMetadata {
  readonly $correlationId: string;
  readonly $causationId?: string;
  readonly version: number;
  readonly at: number;
  readonly accountId: string | null;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly instance?: string;
}

const ACTOR_KINDS: ReadonlySet<unknown> = new Set<Actor["kind"]>(["credential", "operator", "system"]);

/** System streams and event types of the server. */
export function isSystemName(name: string): boolean {
  return name.startsWith("$");
}

/** @throws TypeError the data has no JSON. */
export function encodeEvent({ id, type, version, at, data, metadata }: EventToAppend): EncodedEvent {
  const { accountId, actor, requestId, commandId, causationId, instance } = metadata;
  const stored: StoredMetadata = {
    $correlationId: commandId,
    ...(causationId === null ? {} : { $causationId: causationId }),
    version,
    at,
    accountId,
    actor: { kind: actor.kind, id: actor.id },
    requestId,
    ...(instance === undefined ? {} : { instance }),
  };
  const text = JSON.stringify(data);
  if (text === undefined) throw new TypeError(`the data of event ${id} has no JSON`);
  return { id, type, data: Buffer.from(text), metadata: Buffer.from(JSON.stringify(stored)) };
}

/** Undefined: the event was not written by this service. */
export function decodeEvent(event: ReadEvent | undefined): RecordedEvent | undefined {
  if (event?.position === undefined || isSystemName(event.streamId) || isSystemName(event.type)) return undefined;
  const stored: unknown = event.metadata;
  if (!event.isJson || !isStoredMetadata(stored)) return undefined;
  return {
    stream: event.streamId,
    revision: Number(event.revision),
    position: event.position.commit,
    id: event.id,
    type: event.type,
    version: stored.version,
    at: stored.at,
    data: event.data,
    metadata: {
      accountId: stored.accountId,
      actor: stored.actor,
      requestId: stored.requestId,
      commandId: stored.$correlationId,
      causationId: stored.$causationId ?? null,
      ...(stored.instance === undefined ? {} : { instance: stored.instance }),
    },
  };
}

function isStoredMetadata(value: unknown): value is StoredMetadata {
  if (typeof value !== "object" || value === null) return false;
  const { $correlationId, $causationId, version, at, accountId, actor, requestId, instance } = value as Record<
    string,
    unknown
  >;
  return (
    typeof $correlationId === "string" &&
    ($causationId === undefined || typeof $causationId === "string") &&
    (instance === undefined || typeof instance === "string") &&
    Number.isInteger(version) &&
    Number.isFinite(at) &&
    isTextOrNull(accountId) &&
    isTextOrNull(requestId) &&
    isActor(actor)
  );
}

function isActor(value: unknown): value is Actor {
  if (typeof value !== "object" || value === null) return false;
  const { kind, id } = value as Record<string, unknown>;
  return ACTOR_KINDS.has(kind) && typeof id === "string";
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}
