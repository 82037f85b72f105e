import { expect, test } from "@jest/globals";
import { codeLines } from "../lines.ts";

test.each([
  ["nothing", "", 0],
  ["code between empty lines", "\nconst a = 1;\n\n  const b = 2;\n", 2],
  ["a comment of a line", "// why\nconst a = 1; // here\n", 1],
  ["a comment of several lines", "/**\n * Why.\n */\nconst a = 1;\n/* once */\nconst b = 2;\n", 2],
  ["a comment that ends where code begins no more", "/* one\n two */\nbody { color: red; }\n", 1],
])("lines of code: %s", (_, text, expected) => expect(codeLines(text)).toBe(expected));
