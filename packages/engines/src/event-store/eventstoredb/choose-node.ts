import type { Member } from "./messages.ts";

export interface Choice {
  /** Host and port. */
  readonly address: string;
  /** False: a follower, which forwards appends to the leader. */
  readonly leads: boolean;
}

/**
 * Chooses the node to write to. Each node that answers reports the members of its cluster. A report counts only if most
 * members are alive in it, since a node that is cut off can't know of a new leader. Of several leaders, the one that
 * most reports name counts. A leader that does not answer here is reached through a follower.
 * @param answers the reports, by host and port of their nodes.
 * @returns undefined if no report that counts names a leader, or no node that answers leads to it.
 */
export function chooseNode(answers: ReadonlyMap<string, readonly Member[]>): Choice | undefined {
  const votes = new Map<string, number>();
  const followers = new Set<string>();
  for (const members of answers.values()) {
    const alive = members.filter(({ isAlive }) => isAlive);
    if (2 * alive.length <= members.length) continue;
    for (const { address, role } of alive) {
      if (role === "leader") votes.set(address, (votes.get(address) ?? 0) + 1);
      if (role === "follower") followers.add(address);
    }
  }
  const [leader] = [...votes].sort(([, one], [, other]) => other - one)[0] ?? [];
  if (leader === undefined) return undefined;
  if (answers.has(leader)) return { address: leader, leads: true };
  const follower = [...followers].find((address) => answers.has(address));
  return follower === undefined ? undefined : { address: follower, leads: false };
}
