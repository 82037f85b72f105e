import { randomUUID } from "node:crypto";
import type { ClusterInfo } from "@eventstore/db-client/generated/gossip_pb.js";
import gossips from "@eventstore/db-client/generated/gossip_pb.js";
import type { sendUnaryData } from "@grpc/grpc-js";
import type { EventStoreDbDouble } from "../double.ts";
import { uuid } from "./messages.ts";

/** A cluster of one, which leads unless it was told otherwise. */
export function gossip({ faults }: EventStoreDbDouble, host: string, port: number) {
  return (_: unknown, respond: sendUnaryData<ClusterInfo>): void => {
    const endPoint = new gossips.EndPoint();
    endPoint.setAddress(host);
    endPoint.setPort(port);
    const member = new gossips.MemberInfo();
    member.setInstanceId(uuid(randomUUID()));
    member.setTimeStamp(String(Date.now()));
    const { LEADER, UNKNOWN } = gossips.MemberInfo.VNodeState;
    member.setState(faults.leaderless ? UNKNOWN : LEADER);
    member.setIsAlive(true);
    member.setHttpEndPoint(endPoint);
    const cluster = new gossips.ClusterInfo();
    cluster.addMembers(member);
    respond(null, cluster);
  };
}
