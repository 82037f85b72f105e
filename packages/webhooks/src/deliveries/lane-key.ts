/** Names a lane: an endpoint, and a booking it is told of. Ids have no slash. */
export interface LaneId {
  readonly endpointId: string;
  readonly bookingId: string;
}

export function laneKey({ endpointId, bookingId }: LaneId): string {
  return endpointPrefix(endpointId) + bookingId;
}

/** Begins the keys of everything an endpoint has. As a wake-up it stands for all of its lanes. */
export function endpointPrefix(endpointId: string): string {
  return `${endpointId}/`;
}

export function parseLaneKey(key: string): LaneId {
  const slash = key.indexOf("/");
  return { endpointId: key.slice(0, slash), bookingId: key.slice(slash + 1) };
}
