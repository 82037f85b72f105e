import { z } from "zod";
import { phrase } from "./phrase.ts";

/** An object with exactly these fields. */
export function strict<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, { error: phrase });
}

/** One of a list of words. */
export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: phrase });
}

/** An array whose entries all differ; the later of two equal ones is named. */
export function distinct<Entry extends z.ZodType<string>>(entry: Entry, bounds: { min: number; max: number }) {
  return z
    .array(entry, { error: phrase })
    .min(bounds.min)
    .max(bounds.max)
    .check((context) => {
      const { value } = context;
      for (let index = 1; index < value.length; index += 1) {
        if (value.indexOf(value[index] as z.output<Entry>) === index) continue;
        context.issues.push({ code: "custom", message: "is named twice", path: [index], input: value[index] });
      }
    })
    .meta({ uniqueItems: true });
}
