import type { MemberInfo } from "@eventstore/db-client/generated/gossip_pb.js";
import gossip from "@eventstore/db-client/generated/gossip_pb.js";
import { expect, test } from "@jest/globals";
import { type Choice, chooseNode } from "../../src/event-store/eventstoredb/choose-node.ts";
import { decodeMembers, type Member } from "../../src/event-store/eventstoredb/messages.ts";

const [A, B, C] = ["a:1", "b:1", "c:1"];

/** What a node says, a word a member: `L`eads, `F`ollows or neither (`-`), in small letters where it is not alive. */
function says(words: string): readonly Member[] {
  return [A, B, C].map((address, index) => {
    const word = words[index] ?? "-";
    const role = { L: "leader", F: "follower" }[word.toUpperCase()] ?? "other";
    return { address, role: role as Member["role"], isAlive: word === word.toUpperCase() };
  });
}

const leads = (address: string): Choice => ({ address, leads: true });

test.each<[string, Readonly<Record<string, string>>, Choice | undefined]>([
  ["all agree", { [A]: "FLF", [B]: "FLF", [C]: "FLF" }, leads(B)],
  ["one node does not answer", { [A]: "FLF", [B]: "FLF" }, leads(B)],
  ["the only one that answers leads", { [B]: "FLF" }, leads(B)],
  ["the leader is cut off, and says that it leads", { [A]: "Lff", [B]: "fLF", [C]: "fLF" }, leads(B)],
  ["the leader is cut off, and nobody is elected yet", { [A]: "Lff", [B]: "l--", [C]: "l--" }, undefined],
  ["the leader is cut off, and the only one that answers", { [A]: "Lff" }, undefined],
  ["one has not heard of the new leader yet", { [A]: "LFF", [B]: "FLF", [C]: "FLF" }, leads(B)],
  ["the leader does not answer here", { [B]: "LFF", [C]: "LFF" }, { address: B, leads: false }],
  ["only one follower answers here", { [C]: "LFF" }, { address: C, leads: false }],
  ["the leader is dead, as all see", { [B]: "l--", [C]: "l--" }, undefined],
  ["nobody answers", {}, undefined],
])("%s", (_, answers, choice) => {
  const members = new Map(Object.entries(answers).map(([address, words]) => [address, says(words)]));
  expect(chooseNode(members)).toStrictEqual(choice);
});

test("a cluster of one", () => {
  expect(chooseNode(new Map([[A, [{ address: A, role: "leader", isAlive: true }]]]))).toStrictEqual(leads(A));
});

test("read-only replicas are not counted: they elect nobody", () => {
  const { VNodeState } = gossip.MemberInfo;
  const cluster = new gossip.ClusterInfo();
  const add = (state: ReturnType<MemberInfo["getState"]>, port: number, isAlive: boolean) => {
    const endPoint = new gossip.EndPoint();
    endPoint.setAddress("a");
    endPoint.setPort(port);
    const member = cluster.addMembers();
    member.setState(state);
    member.setIsAlive(isAlive);
    member.setHttpEndPoint(endPoint);
  };
  add(VNodeState.LEADER, 1, true);
  add(VNodeState.FOLLOWER, 2, true);
  add(VNodeState.FOLLOWER, 3, false);
  add(VNodeState.READONLYREPLICA, 4, false);
  add(VNodeState.PREREADONLYREPLICA, 5, false);
  add(VNodeState.READONLYLEADERLESS, 6, false);
  expect(chooseNode(new Map([[A, decodeMembers(cluster.serializeBinary())]]))).toStrictEqual(leads(A));
});
