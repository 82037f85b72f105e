import { backgroundPause } from "@travel-booking/runtime/real-time";
import { chooseNode } from "./choose-node.ts";
import type { ServerAddress } from "./connection-string.ts";
import { unavailable } from "./errors.ts";
import type { Member } from "./messages.ts";
import { Node } from "./node.ts";

/** Real time between two looks whether a leader that is out of reach can be reached. */
const LOOK_FOR_LEADER_MS = 1_000;
/** Real time between a search that found nobody and the next one. */
const ASK_AGAIN_MS = 100;

/** Finds the node that calls go to, and another one when that fails. */
export class Cluster {
  readonly #address: ServerAddress;
  readonly #closing: AbortSignal;
  /** Host and port of each node that the address or the last answers name. */
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
   * @throws EventStoreUnavailable none is of use now; nothing was attempted.
   */
  async node(): Promise<Node> {
    return this.#current ?? this.#find();
  }

  /** A call to this node failed so that no other call to it can be expected to succeed. */
  leave(node: Node): void {
    if (this.#current === node) this.#current = undefined;
    node.close();
  }

  /** This node does not lead: the one named does, or another one. */
  leaveForLeader(node: Node, leader: string | undefined): void {
    if (leader !== undefined) this.#known = [...this.#known, leader];
    this.#isSingle = false;
    this.leave(node);
  }

  /** This node does not answer, or is not ready: all are asked who leads. It is left unless it is the one all the same. */
  async reconsider(node: Node): Promise<void> {
    if (this.#current !== node || this.#isSingle) return;
    await this.#find().catch(() => this.leave(node));
  }

  close(): void {
    this.#current?.close();
  }

  /** One search at a time. That it found nobody counts for a moment: all who wait for a leader ask again and again. */
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

  /** Asks all nodes at once; then those that were only named by the answers. */
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

/** What the operator has to put right is told before all that passes. */
function noLeader(failures: readonly unknown[]): Error {
  const problems = failures.map(unavailable);
  return (
    problems.find(({ isMisconfigured }) => isMisconfigured) ??
    problems[0] ??
    unavailable(new Error("no node of the cluster leads it"))
  );
}
