import { backgroundPause } from "@travel-booking/runtime/real-time";
import { chooseNode } from "./choose-node.ts";
import type { ServerAddress } from "./connection-string.ts";
import { unavailable } from "./errors.ts";
import type { Member } from "./messages.ts";
import { Node } from "./node.ts";

/** Real time between two checks whether an unreachable leader can be reached again. */
const LOOK_FOR_LEADER_MS = 1_000;
/** Real time between a search without a result and the next one. */
const ASK_AGAIN_MS = 100;

/** Finds the node that calls go to, and another one when it fails. */
export class Cluster {
  readonly #address: ServerAddress;
  readonly #closing: AbortSignal;
  /** Host and port of each node that the address or the last answers named. */
  #known: readonly string[];
  #isSingle: boolean;
  #current: Node | undefined;
  #finding: Promise<Node> | undefined;

  constructor(address: ServerAddress, closing: AbortSignal) {
    this.#address = address;
    this.#closing = closing;
    this.#known = address.nodes;
    this.#isSingle = address.isSingle;
  }

  /**
   * The node to call.
   * @throws EventStoreUnavailable no node can be used now; nothing was attempted.
   */
  async node(): Promise<Node> {
    return this.#current ?? this.#find();
  }

  /** Leaves a node after a failure that every other call to it would meet, too. */
  leave(node: Node): void {
    if (this.#current === node) this.#current = undefined;
    node.close();
  }

  /** Leaves a node that does not lead. The leader it names, if any, is asked, too. */
  leaveForLeader(node: Node, leader: string | undefined): void {
    if (leader !== undefined) this.#known = [...this.#known, leader];
    this.#isSingle = false;
    this.leave(node);
  }

  /** For a node that does not answer or is not ready. All nodes are asked who leads; it stays if it still does. */
  async reconsider(node: Node): Promise<void> {
    if (this.#current !== node || this.#isSingle) return;
    await this.#find().catch(() => this.leave(node));
  }

  close(): void {
    this.#current?.close();
  }

  /** Runs one search at a time. A failure counts for a moment, because all waiting calls ask again and again. */
  #find(): Promise<Node> {
    if (this.#finding !== undefined) return this.#finding;
    const finding = this.#search();
    this.#finding = finding;
    const over = () => {
      this.#finding = undefined;
    };
    finding.catch(() => backgroundPause(ASK_AGAIN_MS, this.#closing)).finally(over);
    return finding;
  }

  async #search(): Promise<Node> {
    const found = this.#isSingle ? this.#nodeAt(this.#address.nodes[0]) : await this.#ask();
    const current = this.#current;
    if (current !== undefined && current.address === found.address && current.leads === found.leads) {
      found.close();
      return current;
    }
    if (this.#closing.aborted) found.close();
    this.#current = found;
    current?.close();
    if (!found.leads) void this.#lookForLeader(found);
    return found;
  }

  /** Asks all known nodes at once, then the nodes that only the answers named. */
  async #ask(): Promise<Node> {
    const asked = new Map<string, Node>();
    const answers = new Map<string, readonly Member[]>();
    const failures: unknown[] = [];
    const ask = async (address: string) => {
      const node = this.#nodeAt(address);
      asked.set(address, node);
      try {
        answers.set(address, await node.members(this.#address.gossipTimeoutMs));
      } catch (error) {
        failures.push(error);
      }
    };
    try {
      await Promise.all(new Set(this.#known).values().map(ask));
      const named = [...answers.values()].flat().map(({ address }) => address);
      await Promise.all(new Set(named).difference(asked).values().map(ask));
      if (named.length > 0) this.#known = [...this.#address.nodes, ...named];
      const choice = chooseNode(answers);
      const chosen = choice && asked.get(choice.address);
      if (choice === undefined || chosen === undefined) throw noLeader(failures);
      asked.delete(choice.address);
      chosen.leads = choice.leads;
      return chosen;
    } finally {
      for (const node of asked.values()) node.close();
    }
  }

  #nodeAt(address: string): Node {
    return new Node(address, this.#address.urlOf(address));
  }

  async #lookForLeader(follower: Node): Promise<void> {
    for (;;) {
      await backgroundPause(LOOK_FOR_LEADER_MS, this.#closing);
      if (this.#closing.aborted || this.#current !== follower) return;
      await this.#find().catch(() => undefined);
    }
  }
}

/** A problem that the operator has to solve is reported before one that passes by itself. */
function noLeader(failures: readonly unknown[]): Error {
  const problems = failures.map(unavailable);
  return (
    problems.find(({ isMisconfigured }) => isMisconfigured) ??
    problems[0] ??
    unavailable(new Error("no node of the cluster leads it"))
  );
}
