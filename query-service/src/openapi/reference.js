// Runs in the page: search, copies, languages, the reader's place, requests to this service. The page needs no script.
const $ = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const make = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};
document.documentElement.classList.add("live");

// Search in everything that has a place of its own, best first, while the reader types.
const search = $("#search");
const found = $("#found");
const results = $("#results");
const tree = $("#tree");
const MOST = 40;
const words = (text) =>
  text
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];
const asText = (text) => ` ${words(text).join(" ")}`;
const entry = (kind, weight, target, title, text = target.textContent) => {
  return {
    kind,
    weight,
    label: title,
    hash: `#${target.id}`,
    title: words(title),
    text: asText(`${target.id} ${text}`),
  };
};
let entries;
const collect = () => [
  ...all("main [id^=about-]").map((heading) => {
    const texts = [heading.textContent];
    for (let next = heading.nextElementSibling; next && !next.id; next = next.nextElementSibling)
      texts.push(next.textContent);
    return entry("convention", 3, heading, heading.textContent, texts.join(" "));
  }),
  ...all("article.text").map((guide) => entry("guide", 3, guide, $("h3", guide).textContent)),
  ...all("article:not(.text, .schema)").map((article) => {
    const method = $(".method", article).textContent;
    return entry($(".address .mark", article) ? "webhook" : method, 2, article, $("h3", article).textContent);
  }),
  ...all("article.schema").map((schema) => entry("schema", 1, schema, $("h3", schema).textContent)),
  ...all("tr[id^=error-]").map((row) => entry("error", 0, row, $("code", row).textContent)),
];
// A word of the title counts more than one of the text, a whole one more than a beginning.
const rank = ({ title, text, weight }, wanted) => {
  const phrase = wanted.join(" ");
  let points = weight + (title.join(" ").includes(phrase) ? 4 : text.includes(` ${phrase}`) ? 2 : 0);
  for (const word of wanted) {
    if (title.includes(word)) points += 10;
    else if (title.some((one) => one.startsWith(word))) points += 8;
    else if (text.includes(` ${word}`)) points += 1;
    else return 0;
  }
  return points;
};
const find = () => {
  const wanted = words(search.value);
  tree.hidden = wanted.length > 0;
  results.hidden = wanted.length === 0;
  found.textContent = "";
  if (wanted.length === 0) return;
  entries ??= collect();
  const ranked = entries
    .map((one) => ({ ...one, points: rank(one, wanted) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points);
  found.textContent = `${ranked.length} found`;
  results.replaceChildren(
    ...ranked.slice(0, MOST).map(({ kind, label, hash }) => {
      const mark = make("span", { className: `kind ${kind.toLowerCase()}`, textContent: kind });
      return make("li", {}, make("a", { href: hash }, make("span", { textContent: label }), mark));
    }),
  );
};
search.addEventListener("input", find);
search.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    search.value = "";
    find();
  }
  if (event.key === "Enter") $("a", results)?.click();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || /^(?:INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
  event.preventDefault();
  search.focus();
});

// One language for all samples, remembered.
const LANGUAGE = "reference-language";
const choose = (language) => {
  document.documentElement.dataset.language = language;
  for (const tab of all(".languages button")) tab.setAttribute("aria-pressed", String(tab.textContent === language));
};
choose(localStorage.getItem(LANGUAGE) ?? "curl");
document.addEventListener("click", async ({ target }) => {
  if (target.matches(".languages button")) {
    const { top } = target.getBoundingClientRect();
    choose(target.textContent);
    // The text that the reader sees stays in place.
    scrollBy(0, target.getBoundingClientRect().top - top);
    localStorage.setItem(LANGUAGE, target.textContent);
  }
  if (target.matches(".copy")) {
    const texts = all("pre", target.closest("figure"));
    await navigator.clipboard.writeText(texts.find((pre) => pre.checkVisibility()).textContent);
    target.textContent = "Copied";
    setTimeout(() => {
      target.textContent = "Copy";
    }, 1500);
  }
});

// Marks the place of the reader.
const links = new Map(all("#tree a[href^='#']").map((link) => [link.hash.slice(1), link]));
const seen = new Set();
const watcher = new IntersectionObserver(
  (changes) => {
    for (const { target, isIntersecting } of changes) seen[isIntersecting ? "add" : "delete"](target);
    const [first] = [...seen].sort((one, other) => one.offsetTop - other.offsetTop);
    if (first === undefined) return;
    for (const link of links.values()) link.removeAttribute("aria-current");
    const link = links.get(first.id);
    link?.setAttribute("aria-current", "true");
    link?.scrollIntoView({ block: "nearest" });
  },
  { rootMargin: "-15% 0px -70% 0px" },
);
for (const target of all("main article, main > section:not(:has(article))")) watcher.observe(target);

// The address and the API key of the reader, kept as long as the tab, stand in the samples.
const key = $("#key");
const address = $("#address");
address.placeholder = location.origin;
const entered = {
  key: () => (/^\w+$/.test(key.value.trim()) ? key.value.trim() : ""),
  address: () =>
    /^https?:\/\/[\w.:[\]/-]+$/.test(address.value.trim()) ? address.value.trim().replace(/\/+$/, "") : "",
};
const placeholders = new Map(all("var[data-of]").map((each) => [each, each.textContent]));
const putIn = () => {
  for (const [each, placeholder] of placeholders) {
    const value = entered[each.dataset.of]();
    each.textContent = value === "" ? placeholder : "quoted" in each.dataset ? JSON.stringify(value) : value;
  }
};
for (const input of [key, address]) {
  const name = `reference-${input.id}`;
  input.value = sessionStorage.getItem(name) ?? "";
  input.addEventListener("input", () => {
    sessionStorage.setItem(name, input.value.trim());
    putIn();
  });
}
if (key.value + address.value !== "") putIn();
$(".settings").addEventListener("submit", (event) => event.preventDefault());

// What exists under the key, to fill requests with.
const ask = async (path) => (await fetch(path, { headers: { "x-api-key": entered.key() } })).json();
const newest = async (path) => (await ask(`${path}${path.includes("?") ? "&" : "?"}limit=1`)).data?.[0];
const flightToBook = async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const { data = [] } = await ask(`/v1/flights?departsAfter=${tomorrow}`);
  return data.find(({ fares }) => fares.some(({ cabin, seatsLeft }) => cabin === "economy" && seatsLeft > 1));
};
const freeSeats = async (flightId, wantedCabin, count) => {
  const { cabins = [] } = await ask(`/v1/flights/${encodeURIComponent(flightId)}/seat-map`);
  const seats = cabins.find(({ cabin }) => cabin === wantedCabin)?.rows.flatMap((row) => row.seats) ?? [];
  return seats
    .filter(({ status }) => status === "available")
    .map(({ number }) => number)
    .slice(0, count);
};
const bookingFor = ({ method, path }) =>
  newest(`/v1/bookings?status=${method === "POST" && path.endsWith("/payments") ? "pending" : "confirmed"}`);
const objectOf = (trial) => {
  const [, collection] = /^\/v1\/([a-z-]+)\/\{id\}/.exec(trial.path) ?? [];
  if (collection === undefined) return undefined;
  if (collection === "flights") return flightToBook();
  if (collection === "bookings") return bookingFor(trial);
  return newest(collection === "payments" ? "/v1/payments?status=succeeded" : `/v1/${collection}`);
};

/** Puts ids, and seats that are free, into a form. What is not found stays as it is. */
const fill = async (trial, form) => {
  const object = await objectOf(trial);
  if (object !== undefined && form.elements.id?.value === "") form.elements.id.value = object.id;
  if (trial.body === null || trial.isForm || form.elements.body.value !== trial.body) return;
  const body = JSON.parse(trial.body);
  const flight = "flightId" in body ? await flightToBook() : undefined;
  if (flight !== undefined) {
    Object.assign(body, { flightId: flight.id, cabin: "economy" });
    body.seats = await freeSeats(flight.id, "economy", body.passengers.length);
    delete body.holdId;
  } else if ("seats" in body && object !== undefined) {
    const { flightId = object.id, cabin = "economy", passengers = body.seats } = object;
    body.seats = await freeSeats(flightId, cabin, passengers.length);
  }
  // The reader may have written something else meanwhile.
  if (form.elements.body.value === trial.body) form.elements.body.value = JSON.stringify(body, null, 2);
};

// Requests to this service.
const field = (name, value, required) => {
  const input = make("input", { name, value, required, autocomplete: "off", spellcheck: false });
  return make("label", {}, make("code", { textContent: name }), input);
};

const shown = async (response) => {
  const type = response.headers.get("content-type") ?? "";
  const text = /json|text/.test(type) ? await response.text() : `${(await response.blob()).size} bytes of ${type}`;
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  const body = type.includes("json") ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return `${response.status} ${response.statusText}\n${headers}\n\n${body}`;
};

const send = async (trial, form) => {
  const values = new FormData(form);
  let path = trial.path;
  const query = new URLSearchParams();
  for (const { name, in: place } of trial.parameters) {
    const value = values.get(name);
    if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== "") query.set(name, value);
  }
  const body = values.get("body") || undefined;
  const headers = {
    ...(trial.hasKey && { "x-api-key": entered.key() }),
    ...(trial.hasIdempotencyKey && { "Idempotency-Key": values.get("Idempotency-Key") }),
    ...(body !== undefined && {
      "Content-Type": trial.isForm ? "application/x-www-form-urlencoded" : "application/json",
    }),
  };
  return fetch(`${path}${query.size === 0 ? "" : `?${query}`}`, { method: trial.method, headers, body });
};

const formFor = (trial) => {
  const output = make("pre", { tabIndex: 0, hidden: true });
  output.setAttribute("aria-live", "polite");
  const body = () => make("textarea", { name: "body", value: trial.body, rows: 8, spellcheck: false });
  const form = make(
    "form",
    {},
    ...trial.parameters.map(({ name, required }) => field(name, "", required)),
    ...(trial.hasIdempotencyKey ? [field("Idempotency-Key", crypto.randomUUID(), true)] : []),
    ...(trial.body === null ? [] : [make("label", {}, make("code", { textContent: "body" }), body())]),
    make("button", { textContent: "Send" }),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    output.hidden = false;
    output.textContent = "…";
    try {
      if (trial.hasKey && entered.key() === "")
        throw new Error("Put an API key into the field at the top of the page first.");
      output.textContent = await shown(await send(trial, form));
    } catch (error) {
      output.textContent = error.message;
    }
  });
  const fillIn = () => trial.hasKey && entered.key() !== "" && fill(trial, form).catch(() => undefined);
  fillIn();
  key.addEventListener("change", fillIn);
  return [form, output];
};

// A form is made when somebody opens it.
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (!target.matches(".trial") || $("form", target) !== null) return;
    target.append(...formFor(JSON.parse(target.closest("article").dataset.trial)));
  },
  true,
);
