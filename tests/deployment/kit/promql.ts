const WORDS = ["and", "or", "unless", "by", "without", "on", "ignoring", "bool"];

/** The names of metrics in a query, as far as the language is used in docker/monitoring. @throws Error it is not balanced. */
export function metricsIn(query: string): readonly string[] {
  assertBalanced(query);
  const bare = query.replaceAll(/"[^"]*"/g, "").replaceAll(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|without) *\([^)]*\)/g, " ");
  const names = [...bare.matchAll(/\b[a-z_][a-z0-9_]*\b(?! *\()/g)].map(([name]) => name);
  return [...new Set(names)].filter((name) => !WORDS.includes(name));
}

/** What a query says of labels with `=`. */
export function labelsIn(query: string): readonly { metric: string; label: string; value: string }[] {
  return [...query.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, metric = "", matchers = ""]) =>
    [...matchers.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = "", value = ""]) => ({ metric, label, value })),
  );
}

function assertBalanced(query: string): void {
  const open: string[] = [];
  const closing: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
  for (const character of query.replaceAll(/"[^"]*"/g, "")) {
    if ("([{".includes(character)) open.push(character);
    else if (character in closing && open.pop() !== closing[character]) throw new Error(`not balanced: ${query}`);
  }
  if (open.length > 0) throw new Error(`not balanced: ${query}`);
}
