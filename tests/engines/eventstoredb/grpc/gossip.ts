import { randomUUID } from "node:crypto";
import type { ClusterInfo, MemberInfo } from "@eventstore/db-client/generated/gossip_pb.js";
import gossips from "@eventstore/db-client/generated/gossip_pb.js";
import type { sendUnaryData } from "@grpc/grpc-js";
import type { EventStoreDbDouble } from "../double.ts";
import { uuid } from "./messages.ts";

/** A cluster of one, which leads unless it was told otherwise, or of itself and the leader it follows. */
export function gossip({ faults }: EventStoreDbDouble, host: string, port: number) {
  return (_: unknown, respond: sendUnaryData<ClusterInfo>): void => {
    const { FOLLOWER, LEADER, UNKNOWN } = gossips.MemberInfo.VNodeState;
    const cluster = new gossips.ClusterInfo();
    const own = faults.leader === null ? LEADER : FOLLOWER;
    cluster.addMembers(memberAt(`${host}:${port}`, faults.leaderless ? UNKNOWN : own));
    if (faults.leader !== null) cluster.addMembers(memberAt(faults.leader, faults.leaderless ? UNKNOWN : LEADER));
    respond(null, cluster);
  };
}

function memberAt(hostAndPort: string, state: MemberInfo.VNodeState): MemberInfo {
  const [host = "", port = ""] = hostAndPort.split(":");
  const endPoint = new gossips.EndPoint();
  endPoint.setAddress(host);
  endPoint.setPort(Number(port));
  const member = new gossips.MemberInfo();
  member.setInstanceId(uuid(randomUUID()));
  member.setTimeStamp(String(Date.now()));
  member.setState(state);
  member.setIsAlive(true);
  member.setHttpEndPoint(endPoint);
  return member;
}
