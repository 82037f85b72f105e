/** Whether a person wrote the same name twice. Letter case, the encoding of accents and spaces make no difference. */
export function samePersonName(one: string, other: string): boolean {
  return one === other || plain(one) === plain(other);
}

function plain(name: string): string {
  return name.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();
}
