import { randomUUID } from "node:crypto";

export function freshDatabase(): string {
  return `test_${randomUUID().replaceAll("-", "")}`;
}
