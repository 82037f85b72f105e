import { z } from "zod";
import { validationMessage } from "./validation-message.ts";

/** An object with exactly these fields. */
export function strictObject<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, { error: validationMessage });
}

/** One of a list of words. */
export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: validationMessage });
}

/** An array whose entries all differ; the later of two equal ones is named. */
export function uniqueArray<Entry extends z.ZodType<string>>(entry: Entry, bounds: { min: number; max: number }) {
  return z
    .array(entry, { error: validationMessage })
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
