/** The same object, with some of its methods replaced. */
export function withOverrides<Target extends object>(target: Target, methods: Partial<Target>): Target {
  return new Proxy(target, {
    get(_, name) {
      const value = Reflect.get(name in methods ? methods : target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
