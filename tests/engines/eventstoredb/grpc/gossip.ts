import { randomUUID } from "node:crypto";
import type { ClusterInfo, MemberInfo } from "@eventstore/db-client/generated/gossip_pb.js";
import gossips from "@eventstore/db-client/generated/gossip_pb.js";
import type { sendUnaryData } from "@grpc/grpc-js";
import type { Faults, SeenMember } from "../control/faults.ts";
import type { EventStoreDbDouble } from "../double.ts";
import { uuid } from "./messages.ts";

/** The cluster as this node was told to see it. */
export function gossip({ faults }: EventStoreDbDouble, host: string, port: number) {
  return (_: unknown, respond: sendUnaryData<ClusterInfo>): void => {
    const cluster = new gossips.ClusterInfo();
    for (const seen of faults.members ?? membersBy(faults, `${host}:${port}`)) cluster.addMembers(member(seen));
    respond(null, cluster);
  };
}

/** A cluster of one, which leads unless it was told otherwise, or of itself and the leader it follows. */
function membersBy({ leader, leaderless }: Faults, self: string): readonly SeenMember[] {
  const seen = (address: string, role: SeenMember["role"]): SeenMember => ({
    address,
    role: leaderless ? "unknown" : role,
    isAlive: true,
  });
  return leader === null ? [seen(self, "leader")] : [seen(self, "follower"), seen(leader, "leader")];
}

function member({ address, role, isAlive }: SeenMember): MemberInfo {
  const { FOLLOWER, LEADER, UNKNOWN } = gossips.MemberInfo.VNodeState;
  const [host = "", port = ""] = address.split(":");
  const endPoint = new gossips.EndPoint();
  endPoint.setAddress(host);
  endPoint.setPort(Number(port));
  const info = new gossips.MemberInfo();
  info.setInstanceId(uuid(randomUUID()));
  info.setTimeStamp(String(Date.now()));
  info.setState({ leader: LEADER, follower: FOLLOWER, unknown: UNKNOWN }[role]);
  info.setIsAlive(isAlive);
  info.setHttpEndPoint(endPoint);
  return info;
}
