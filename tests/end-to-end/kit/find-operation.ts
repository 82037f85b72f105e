import { type Operation, operations } from "@travel-booking/api-contract";

/** The operation a request is for; undefined where the API has none. HEAD counts as GET. */
export function findOperation(method: string, path: string): Operation | undefined {
  const [pathname = ""] = path.split("?", 1);
  const asked = method === "HEAD" ? "GET" : method;
  return operations.find((operation) => operation.method === asked && matches(operation.path, pathname));
}

function matches(template: string, path: string): boolean {
  const expected = template.split("/");
  const given = path.split("/");
  return (
    expected.length === given.length &&
    expected.every((segment, index) => (segment.startsWith("{") ? given[index] !== "" : segment === given[index]))
  );
}
