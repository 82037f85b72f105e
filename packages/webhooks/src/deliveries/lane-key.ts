/** Names a lane: an endpoint, and a booking it is told of. Ids have no slash. */
export interface LaneName {
  readonly endpointId: string;
  readonly bookingId: string;
}

export function laneKey({ endpointId, bookingId }: LaneName): string {
  return endpointPrefix(endpointId) + bookingId;
}

/** Begins the keys of everything an endpoint has. As a wake-up it stands for all of its lanes. */
export function endpointPrefix(endpointId: string): string {
  return `${endpointId}/`;
}

export function laneName(key: string): LaneName {
  const slash = key.indexOf("/");
  return { endpointId: key.slice(0, slash), bookingId: key.slice(slash + 1) };
}
