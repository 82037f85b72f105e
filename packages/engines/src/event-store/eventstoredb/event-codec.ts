import type { Actor, EventToAppend, RecordedEvent } from "../port.ts";
import { type LogPosition, type RecordedMessage, uuidOf } from "./messages.ts";

/** An event as it is sent. */
export interface EncodedEvent {
  readonly id: { readonly text: string };
  readonly properties: { readonly type: string; readonly "content-type": string };
  /** JSON. */
  readonly metadata: string;
  /** JSON. */
  readonly data: string;
}

/** An event as it is in the log. */
export interface ReadEvent {
  readonly id: string;
  readonly revision: number;
  readonly position: LogPosition;
  /** Undefined: this service did not write it. */
  readonly recorded: RecordedEvent | undefined;
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

const JSON_CONTENT = "application/json";
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
  const properties = { type, "content-type": JSON_CONTENT };
  return { id: { text: id }, properties, metadata: JSON.stringify(stored), data: text };
}

export function decodeEvent(message: RecordedMessage): ReadEvent {
  const position = { commit: message.commit.toBigInt(), prepare: message.prepare.toBigInt() };
  const place = { id: uuidOf(message.id), revision: message.revision.toNumber() };
  return { ...place, position, recorded: recorded(message, { ...place, position: position.commit }) };
}

function recorded(
  { stream, properties, ...json }: RecordedMessage,
  place: Pick<RecordedEvent, "id" | "revision" | "position">,
): RecordedEvent | undefined {
  const { type = "", "content-type": content } = properties;
  if (stream === null || isSystemName(stream.name) || isSystemName(type) || content !== JSON_CONTENT) return undefined;
  const stored = parsed(json.metadata);
  const data = parsed(json.data);
  if (data === undefined || !isStoredMetadata(stored)) return undefined;
  const { version, at, accountId, actor, requestId, $correlationId, $causationId = null, instance } = stored;
  const metadata = { accountId, actor, requestId, commandId: $correlationId, causationId: $causationId };
  return {
    ...place,
    stream: stream.name,
    type,
    version,
    at,
    data,
    metadata: instance === undefined ? metadata : { ...metadata, instance },
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isStoredMetadata(value: unknown): value is StoredMetadata {
  if (typeof value !== "object" || value === null) return false;
  const stored = value as Record<string, unknown>;
  return (
    typeof stored.$correlationId === "string" &&
    isTextIfAny(stored.$causationId) &&
    isTextIfAny(stored.instance) &&
    Number.isInteger(stored.version) &&
    Number.isFinite(stored.at) &&
    isTextOrNull(stored.accountId) &&
    isTextOrNull(stored.requestId) &&
    isActor(stored.actor)
  );
}

function isActor(value: unknown): value is Actor {
  const { kind, id } = Object(value) as Record<string, unknown>;
  return ACTOR_KINDS.has(kind) && typeof id === "string";
}

function isTextIfAny(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}
