import { afterAll, afterEach, beforeAll } from "@jest/globals";
import {
  type DoubleNode,
  type EventStoreDouble,
  type SeenMember,
  startEventStoreDouble,
} from "../../../engines/eventstoredb/index.ts";
import type { FaultProxy, ToxiproxyEngine } from "../../../engines/index.ts";
import { type Stores, useStores } from "./use-stores.ts";

const SIZE = 3;

export interface ClusterNode extends DoubleNode {
  /** The way to it. */
  readonly proxy: FaultProxy;
}

/** Three nodes with one log, each behind a proxy. The first one leads at the start of each test. */
export interface Cluster extends Stores {
  node(index: number): ClusterNode;
  /** Connection string with all nodes. */
  readonly url: string;
  /** The nodes see each other, and this one leads. */
  lead(index: number): Promise<void>;
  /**
   * The node neither hears the others nor is heard: a leader goes on as one, tells of the others as dead, and no append is
   * answered; the others have no leader.
   */
  isolate(index: number): Promise<void>;
  /** The others have elected one of them; the isolated node has found that it has no majority. */
  elect(index: number, isolated: number): Promise<void>;
}

export function useCluster(toxiproxy: ToxiproxyEngine): Cluster {
  let double: EventStoreDouble | undefined;
  let nodes: readonly ClusterNode[] = [];
  const addressOf = (index: number) => `127.0.0.1:${nodes[index]?.proxy.port}`;
  const url = () => `esdb://${nodes.map((_, index) => addressOf(index)).join(",")}?tls=false`;
  const node = (index: number) => {
    const found = nodes[index];
    if (found === undefined) throw new Error(`there is no node ${index} outside of tests`);
    return found;
  };
  /** What one node is told to be and to see. */
  const tell = async (
    index: number,
    leader: number | null,
    see: (member: number) => Pick<SeenMember, "role" | "isAlive">,
  ) => {
    const { faults } = node(index);
    await faults.seeMembers(nodes.map((_, member) => ({ address: addressOf(member), ...see(member) })));
    await faults.loseLeader(leader === null);
    await faults.followLeader(leader === null || leader === index ? null : addressOf(leader));
  };
  const lead = async (leader: number) => {
    for (const [index] of nodes.entries()) {
      const role = (member: number) => (member === leader ? "leader" : "follower");
      await tell(index, leader, (member) => ({ role: role(member), isAlive: true }));
    }
  };

  beforeAll(async () => {
    double = await startEventStoreDouble({ nodes: SIZE });
    nodes = await Promise.all(double.nodes.map(async (one) => ({ ...one, proxy: await toxiproxy.proxy(one.address) })));
    await lead(0);
  });
  // What is held or silent would keep the stores from closing, so this comes before that.
  afterEach(async () => {
    for (const { faults, proxy } of nodes) {
      await faults.reset();
      await proxy.restore();
    }
    await lead(0);
  });
  const stores = useStores({
    get url() {
      return url();
    },
  });
  afterAll(async () => {
    await double?.stop();
  });
  return {
    ...stores,
    node,
    lead,
    get url() {
      return url();
    },
    async isolate(isolated) {
      await node(isolated).faults.onAppends("swallow");
      await node(isolated).faults.silence(true);
      for (const [index] of nodes.entries()) {
        if (index === isolated) {
          await tell(index, index, (member) => ({
            role: member === index ? "leader" : "follower",
            isAlive: member === index,
          }));
        } else await tell(index, null, (member) => ({ role: "unknown", isAlive: member !== isolated }));
      }
    },
    async elect(leader, isolated) {
      for (const [index] of nodes.entries()) {
        if (index === isolated) await node(index).faults.loseLeader(true);
        else {
          const role = (member: number) => (member === leader ? "leader" : "follower");
          await tell(index, leader, (member) => ({ role: role(member), isAlive: member !== isolated }));
        }
      }
    },
  };
}
