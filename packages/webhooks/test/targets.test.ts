import { describe, expect, test } from "@jest/globals";
import { checkTarget, type Resolve } from "../src/targets.ts";

const PUBLIC = "93.184.215.14";
const WRONG_PORT = "must use port 443, 80 or one above 1023";

/** A name server that knows these names. */
function names(known: Readonly<Record<string, readonly string[]>>): Resolve {
  return async (hostname) => {
    const addresses = known[hostname];
    if (addresses === undefined) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
    return addresses;
  };
}

const resolve = names({
  "example.com": [PUBLIC, "2606:2800:21f:cb07:6820:80da:af6b:8b2c"],
  "example.com.": [PUBLIC],
  "xn--bcher-kva.example": [PUBLIC],
  "one-is-private.example": [PUBLIC, "10.1.2.3"],
  "private-ipv6.example": [PUBLIC, "fd00::1"],
  "mapped.example": ["::ffff:10.0.0.1"],
  "metadata.example": ["169.254.169.254"],
  "empty.example": [],
  "nonsense.example": ["not an address"],
});

const check = (url: string, allowPrivate = false) =>
  checkTarget(url, { targets: { allowPrivate, ports: [] }, resolve });

describe("allowed", () => {
  test.each([
    ["https://example.com/hooks", [PUBLIC, "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]],
    ["https://example.com:8443/hooks?a=b", [PUBLIC, "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]],
    ["https://example.com:443/", [PUBLIC, "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]],
    ["https://example.com:80/", [PUBLIC, "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]],
    ["https://example.com:1024/", [PUBLIC, "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]],
    ["https://example.com:65535/", [PUBLIC, "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]],
    ["https://168.63.129.15/", ["168.63.129.15"]],
    ["HTTPS://EXAMPLE.COM", [PUBLIC, "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]],
    ["https://example.com./", [PUBLIC]],
    ["https://bücher.example/", [PUBLIC]],
    ["https://8.8.8.8/", ["8.8.8.8"]],
    ["https://0x08.8.2056/", ["8.8.8.8"]],
    ["https://[2606:4700::1111]/", ["2606:4700::1111"]],
    ["https://172.15.255.255/", ["172.15.255.255"]],
    ["https://172.32.0.1/", ["172.32.0.1"]],
    ["https://100.63.255.255/", ["100.63.255.255"]],
    ["https://100.128.0.1/", ["100.128.0.1"]],
    ["https://198.20.0.1/", ["198.20.0.1"]],
  ])("%s", async (url, addresses) => {
    expect(await check(url)).toStrictEqual({ kind: "allowed", url: new URL(url), addresses });
  });
});

/** An address in many spellings, and all the kinds there are of those that are not public. */
const REFUSED: readonly (readonly [what: string, urls: readonly string[]])[] = [
  [
    "a loopback",
    [
      "https://127.0.0.1/",
      "https://127.0.0.1:8443/",
      "https://127.255.255.254/",
      "https://127.1/",
      "https://127.0.1/",
      "https://2130706433/",
      "https://0x7f000001/",
      "https://0x7f.0.0.1/",
      "https://0X7F.0x0.0x0.0x1/",
      "https://0177.0.0.1/",
      "https://017700000001/",
      "https://0177.0x0.0.1/",
      "https://127.0.0.1./",
      "https://2130706433./",
      "https://127%2e0%2e0%2e1/",
      "https://%31%32%37.0.0.1/",
      "https://①②⑦.⓪.⓪.①/",
      "https://１２７.0.0.1/",
      "https://127。0。0。1/",
      "https://[::1]/",
      "https://[0:0:0:0:0:0:0:1]/",
      "https://[0000:0000:0000:0000:0000:0000:0000:0001]/",
      "https://[::0.0.0.1]/",
      "https://localhost/",
      "https://LOCALHOST:8080/",
      "https://localhost./",
      "https://a.b.localhost/",
      "https:\\\\127.0.0.1\\",
      "https:127.0.0.1",
      "https:///127.0.0.1/",
      " \thttps://127.0.0.1/\n",
      "ht\ntps://127.0.0.1/",
      "https://127.0.0.1#@example.com/",
      "https://127.0.0.1/@example.com",
      "https://127.0.0.1?@example.com",
      "https://127.0.0.1\\@example.com",
    ],
  ],
  ["an unspecified", ["https://0.0.0.0/", "https://0/", "https://0.1.2.3/", "https://[::]/", "https://0x0/"]],
  [
    "a private",
    [
      "https://10.0.0.1/",
      "https://10.255.255.255/",
      "https://0xa000001/",
      "https://012.1/",
      "https://172.16.0.1/",
      "https://172.31.255.255/",
      "https://192.168.0.1/",
      "https://0300.0250.0.1/",
      "https://3232235521/",
      "https://one-is-private.example/",
      "https://private-ipv6.example/",
      "https://[fc00::1]/",
      "https://[fdff:ffff::1]/",
    ],
  ],
  ["a carrier-grade NAT", ["https://100.64.0.1/", "https://100.127.255.255/"]],
  [
    "a link-local",
    ["https://169.254.169.254/", "https://2852039166/", "https://metadata.example/", "https://[fe80::1]/"],
  ],
  ["a site-local", ["https://[fec0::1]/"]],
  ["a 6to4", ["https://[2002:7f00:1::]/", "https://[2002:808:808::1]/"]],
  ["a 6to4 relay", ["https://192.88.99.1/"]],
  ["a NAT64", ["https://[64:ff9b::7f00:1]/", "https://[64:ff9b::10.0.0.1]/", "https://[64:ff9b:1::1]/"]],
  ["a multicast", ["https://224.0.0.1/", "https://239.255.255.255/", "https://[ff02::1]/"]],
  [
    "a documentation",
    [
      "https://192.0.2.1/",
      "https://198.51.100.1/",
      "https://203.0.113.1/",
      "https://[2001:db8::1]/",
      "https://[3fff::1]/",
    ],
  ],
  ["an AS112", ["https://192.31.196.1/", "https://192.175.48.255/", "https://[2620:4f:8000::1]/"]],
  ["a cloud platform's", ["https://168.63.129.16/", "https://0xA83F8110/", "https://168.63.129.16:32526/"]],
  ["a benchmarking", ["https://198.18.0.1/", "https://198.19.255.255/"]],
  [
    "a reserved",
    [
      "https://192.0.0.8/",
      "https://240.0.0.1/",
      "https://255.255.255.255/",
      "https://4294967295/",
      "https://[2001::1]/",
      "https://[2001:2::1]/",
      "https://[2001:10::1]/",
      "https://[4000::1]/",
      "https://[5f00::1]/",
      "https://[64:ff9b:2::1]/",
    ],
  ],
  ["a discard", ["https://[100::1]/"]],
  [
    "an IPv4-mapped",
    [
      "https://[::ffff:127.0.0.1]/",
      "https://[::ffff:7f00:1]/",
      "https://[0:0:0:0:0:ffff:10.0.0.1]/",
      "https://[::ffff:8.8.8.8]/",
      "https://mapped.example/",
    ],
  ],
  ["an IPv4-compatible", ["https://[::127.0.0.1]/", "https://[::7f00:1]/", "https://[::8.8.8.8]/"]],
];

describe.each(REFUSED)("%s address", (what, urls) => {
  test.each(urls)("%j is refused", async (url) => {
    expect(await check(url)).toStrictEqual({ kind: "refused", reason: `must not lead to ${what} address` });
  });

  test.each(urls)("%j is allowed for development", async (url) => {
    expect((await check(url, true)).kind).toBe("allowed");
  });
});

describe("refused whatever the address", () => {
  test.each([
    ["http://example.com/", "must be an https URL"],
    ["http://127.0.0.1/", "must be an https URL"],
    ["ftp://example.com/", "must be an https URL"],
    ["file:///etc/passwd", "must be an https URL"],
    ["javascript:alert(1)", "must be an https URL"],
    ["gopher://127.0.0.1:70/", "must be an https URL"],
    ["https://example.com:0/", WRONG_PORT],
    ["https://example.com:22/", WRONG_PORT],
    ["https://example.com:81/", WRONG_PORT],
    ["https://example.com:442/", WRONG_PORT],
    ["https://example.com:1023/", WRONG_PORT],
    ["https://127.0.0.1:25/", WRONG_PORT],
    ["https://user@example.com/", "must not contain a user name or password"],
    ["https://:password@example.com/", "must not contain a user name or password"],
    ["https://example.com@127.0.0.1/", "must not contain a user name or password"],
    ["https://example.com%40@127.0.0.1/", "must not contain a user name or password"],
    ["example.com/hooks", "must be a URL"],
    ["//example.com/", "must be a URL"],
    ["/hooks", "must be a URL"],
    ["", "must be a URL"],
    ["https://", "must be a URL"],
    ["https://exa mple.com/", "must be a URL"],
    ["https://256.0.0.1/", "must be a URL"],
    ["https://1.2.3.4.5/", "must be a URL"],
    ["https://[::1/", "must be a URL"],
    ["https://[fe80::1%25eth0]/", "must be a URL"],
    ["https://example.com:99999/", "must be a URL"],
  ])("%j", async (url, reason) => {
    expect(await check(url)).toStrictEqual({ kind: "refused", reason });
  });

  test.each([
    ["ftp://example.com/", "must be an https or http URL"],
    ["http://127.0.0.1:25/", WRONG_PORT],
    ["http://user@127.0.0.1/", "must not contain a user name or password"],
  ])("for development, too: %j", async (url, reason) => {
    expect(await check(url, true)).toStrictEqual({ kind: "refused", reason });
  });

  test("plain http is allowed for development", async () => {
    const url = "http://127.0.0.1:8080/hooks";
    expect(await check(url, true)).toStrictEqual({ kind: "allowed", url: new URL(url), addresses: ["127.0.0.1"] });
  });
});

describe("names that do not resolve", () => {
  test.each(["https://unknown.example/", "https://empty.example/", "https://nonsense.example/"])("%s", async (url) => {
    expect(await check(url)).toStrictEqual({ kind: "unresolved", reason: "names a host that can't be found" });
  });
});

test("a name that takes too long to be looked up is not waited for", async () => {
  const options = {
    targets: { allowPrivate: false, ports: [] },
    resolve: () => new Promise<never>(() => undefined),
    resolveTimeoutMs: 20,
  };
  expect(await checkTarget("https://slow.example/", options)).toStrictEqual({
    kind: "unresolved",
    reason: "names a host that can't be looked up now",
  });
});

test.each(["ESERVFAIL", "ECONNREFUSED", "EAI_AGAIN"])(
  "a look-up that fails with %s does not say that there is no such host",
  async (code) => {
    const resolve = () => Promise.reject(Object.assign(new Error(code), { code }));
    const answer = await checkTarget("https://example.com/", { targets: { allowPrivate: false, ports: [] }, resolve });
    expect(answer).toStrictEqual({ kind: "unresolved", reason: "names a host that can't be looked up now" });
  },
);

test("a name is looked up once, and another answer counts at the next check", async () => {
  const answers = [[PUBLIC], ["127.0.0.1"]];
  const asked: string[] = [];
  const rebinding: Resolve = async (hostname) => {
    asked.push(hostname);
    return answers.shift() ?? [];
  };
  const url = "https://rebinding.example/";
  const first = await checkTarget(url, { targets: { allowPrivate: false, ports: [] }, resolve: rebinding });
  expect(first).toStrictEqual({ kind: "allowed", url: new URL(url), addresses: [PUBLIC] });
  expect(asked).toStrictEqual(["rebinding.example"]);
  const second = await checkTarget(url, { targets: { allowPrivate: false, ports: [] }, resolve: rebinding });
  expect(second).toStrictEqual({ kind: "refused", reason: "must not lead to a loopback address" });
});

test("an operator may allow more ports", async () => {
  const targets = { allowPrivate: false, ports: [444, 587] };
  const resolve = names({ "example.com": [PUBLIC] });
  const kindOf = async (port: number) => (await checkTarget(`https://example.com:${port}/`, { targets, resolve })).kind;
  expect([await kindOf(587), await kindOf(8_443)]).toStrictEqual(["allowed", "allowed"]);
  expect(await checkTarget("https://example.com:25/", { targets, resolve })).toStrictEqual({
    kind: "refused",
    reason: "must use port 443, 80, 444, 587 or one above 1023",
  });
});
