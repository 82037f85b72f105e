import { invalidRequest } from "../failure.ts";
import type { Shape } from "../objects/shape.ts";

/**
 * A form body with brackets, as Stripe takes it: `metadata[a]=1`, `expand[]=x`, `expand[0]=x`. Leaves are strings;
 * an object whose names count up from 0 is an array.
 */
export function parseForm(body: string): Shape {
  const root: Shape = {};
  for (const [name, value] of new URLSearchParams(body)) {
    const path = [...name.matchAll(/[^[\]]+|\[\]/g)].map(([part]) => part);
    let place = root;
    for (const [index, part] of path.entries()) {
      const field = part === "[]" ? String(Object.keys(place).length) : part;
      if (index === path.length - 1) place[field] = value;
      else {
        place[field] ??= {};
        place = place[field] as Shape;
        if (typeof place !== "object") throw invalidRequest(`Invalid ${name}`, { param: name });
      }
    }
  }
  return arraysIn(root) as Shape;
}

function arraysIn(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, arraysIn(inner)] as const);
  const isArray = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isArray ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** The same for the same parameters in any order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
