import type { Member } from "./messages.ts";

export interface Choice {
  /** Host and port. */
  readonly address: string;
  /** False: a follower, which hands appends on to the leader. */
  readonly leads: boolean;
}

/**
 * The node to write to, by what each node that answers says of its cluster. What a node says counts if it sees most of the
 * members alive: one that is cut off from the others can't know that they have another leader. Of several leaders
 * the one that most nodes name counts. A leader that does not answer here is reached by way of a follower.
 * @param answers by host and port of who answered.
 * @returns undefined where nobody leads, as far as anybody here can tell.
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
