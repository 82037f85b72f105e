import protobuf from "protobufjs";

/** The part of the protocol that this service sends and reads; the rest is skipped. Bytes of JSON are text here. */
const { root } = protobuf.parse(`syntax = "proto3";
message Empty {}
message Halves { uint64 most = 1; uint64 least = 2; }
message Uuid { Halves halves = 1; string text = 2; }
message Stream { string name = 3; }
message Position { uint64 commit = 1; uint64 prepare = 2; }

message BatchAppendReq { Uuid id = 1; Target target = 2; repeated Proposed events = 3; bool is_final = 4; }
message Target { Stream stream = 1; oneof expected { uint64 revision = 2; Empty no_stream = 3; } }
message Proposed { Uuid id = 1; map<string, string> properties = 2; string metadata = 3; string data = 4; }

message BatchAppendResp { Uuid id = 1; Status error = 2; Success success = 3; }
message Success { uint64 revision = 1; Position position = 3; }
message Status { string message = 2; Any details = 3; }
message Any { string type_url = 1; bytes value = 2; }
message WrongExpectedVersion { oneof actual { uint64 revision = 1; Empty no_stream = 2; } }

message ReadReq { Options options = 1; }
message Options {
  OfStream stream = 1; OfAll all = 2; uint32 backwards = 3;
  uint64 count = 5; Empty subscription = 6;
  Filter filter = 7; Empty no_filter = 8;
  UuidForm uuids = 9;
}
message OfStream { Stream stream = 1; uint64 revision = 2; }
message OfAll { Position position = 1; Empty start = 2; Empty end = 3; }
message Filter { Expression stream = 1; uint32 window = 3; uint32 checkpoint_every = 5; }
message Expression { string regex = 1; }
message UuidForm { Empty text = 2; }

message ClusterInfo { repeated MemberInfo members = 1; }
message MemberInfo { uint32 state = 3; bool is_alive = 4; EndPoint http_end_point = 5; }
message EndPoint { string address = 1; uint32 port = 2; }

message ReadResp { Resolved event = 1; Empty caught_up = 8; }
message Resolved { Recorded event = 1; }
message Recorded {
  Uuid id = 1; Stream stream = 2; uint64 revision = 3; uint64 prepare = 4; uint64 commit = 5;
  map<string, string> properties = 6; string metadata = 7; string data = 8;
}`);

/** In Node, the library returns a buffer. */
function encoder<Message extends object>(name: string): (message: Message) => Buffer {
  const type = root.lookupType(name);
  return (message) => type.encode(message).finish() as Buffer;
}

function decoder<Message>(name: string): (bytes: Uint8Array) => Message {
  const type = root.lookupType(name);
  return (bytes) => type.decode(bytes) as unknown as Message;
}

/** A place between two events of the log. Both numbers are equal, except for events from very old servers. */
export interface LogPosition {
  readonly commit: bigint;
  readonly prepare: bigint;
}

/** In decoded messages, missing texts are empty, missing numbers 0 and missing messages null. */
type Nested<Message> = Readonly<Message> | null;
type Uint64 = Readonly<{ toNumber(): number; toBigInt(): bigint }>;
type Uuid = Nested<{ halves: Nested<{ most: Uint64; least: Uint64 }>; text: string }>;

export type AppendAnswer = Readonly<{
  id: Uuid;
  error: Nested<{ message: string; details: Nested<{ typeUrl: string; value: Uint8Array }> }>;
  success: Nested<{ revision: Uint64; position: Nested<{ commit: Uint64 }> }>;
}>;

export type RecordedMessage = Readonly<{
  id: Uuid;
  stream: Nested<{ name: string }>;
  revision: Uint64;
  prepare: Uint64;
  commit: Uint64;
  properties: Readonly<Partial<Record<string, string>>>;
  metadata: string;
  data: string;
}>;

export const encodeAppend = encoder("BatchAppendReq");
export const decodeAppendAnswer = decoder<AppendAnswer>("BatchAppendResp");
export const decodeActual = decoder<{ revision: Uint64; noStream: Nested<object> }>("WrongExpectedVersion");
export const encodeRead = encoder("ReadReq");
export const decodeReadAnswer = decoder<{
  event: Nested<{ event: Nested<RecordedMessage> }>;
  caughtUp: Nested<object>;
}>("ReadResp");

/** A member of a cluster, as another one sees it. */
export interface Member {
  /** Host and port. */
  readonly address: string;
  readonly role: "leader" | "follower" | "other";
  readonly isAlive: boolean;
}

export const EMPTY = Buffer.alloc(0);
/** The numbers of the protocol's `VNodeState`. */
const ROLES: Readonly<Record<number, Member["role"]>> = { 6: "follower", 8: "leader" };
const READ_ONLY = new Set([12, 13, 14]);
const decodeClusterInfo = decoder<{
  members: readonly Readonly<{
    state: number;
    isAlive: boolean;
    httpEndPoint: Nested<{ address: string; port: number }>;
  }>[];
}>("ClusterInfo");

/** The answer to `Gossip.Read`, without read-only replicas, which have no vote. */
export function decodeMembers(bytes: Uint8Array): readonly Member[] {
  return decodeClusterInfo(bytes).members.flatMap(({ state, isAlive, httpEndPoint }) =>
    httpEndPoint === null || READ_ONLY.has(state)
      ? []
      : [{ address: `${httpEndPoint.address}:${httpEndPoint.port}`, role: ROLES[state] ?? "other", isAlive }],
  );
}

/** The server sends an id as text or as two numbers. */
export function uuidOf(uuid: Uuid): string {
  if (!uuid?.halves) return uuid?.text ?? "";
  const { most, least } = uuid.halves;
  const hex = [most, least].map((half) => half.toBigInt().toString(16).padStart(16, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
