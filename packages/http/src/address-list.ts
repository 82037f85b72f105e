import { BlockList, isIP } from "node:net";

/** Addresses and subnets (`10.0.0.0/8`), as settings name them. */
export class AddressList {
  readonly #list = new BlockList();

  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const [address = "", length] = entry.split("/");
      const family = familyOf(address);
      if (length === undefined) this.#list.addAddress(address, family);
      else this.#list.addSubnet(address, Number(length), family);
    }
  }

  /** Whether the text is an address of the list. An IPv4 address counts in its IPv6 form, too. */
  has(address: string): boolean {
    return isIP(address) !== 0 && this.#list.check(address, familyOf(address));
  }
}

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");
