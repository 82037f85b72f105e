import type { OpenApiDocument, OperationObject } from "@travel-booking/api-contract";

/** An operation of the published interface, with where in the document it stands. */
export interface MatchedOperation {
  readonly operation: OperationObject;
  /** A JSON pointer (RFC 6901). */
  readonly pointer: string;
}

/** The operation a request is for; undefined where the interface has none. HEAD counts as GET. */
export function findOperation({ paths }: OpenApiDocument, method: string, path: string): MatchedOperation | undefined {
  const [pathname = ""] = path.split("?", 1);
  const asked = method === "HEAD" ? "get" : method.toLowerCase();
  const templates = Object.keys(paths).filter((template) => matches(template, pathname));
  // A path without parameters comes before one with them (OpenAPI, "Paths Object").
  const template = templates.find((candidate) => !candidate.includes("{")) ?? templates[0];
  const operation = template === undefined ? undefined : paths[template]?.[asked];
  if (template === undefined || operation === undefined) return undefined;
  return { operation, pointer: `/paths/${escaped(template)}/${asked}` };
}

/** A name as a part of a JSON pointer. */
export function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function matches(template: string, path: string): boolean {
  const expected = template.split("/");
  const given = path.split("/");
  return (
    expected.length === given.length &&
    expected.every((segment, index) => (segment.startsWith("{") ? given[index] !== "" : segment === given[index]))
  );
}
