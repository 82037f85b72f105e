// Runs in the page: search, copies, languages, the reader's place, requests to this service. The page needs no script.
const $ = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const make = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};
for (const hidden of all("[data-scripted]")) hidden.hidden = false;

// Search in the titles and texts of all entries, while the reader types.
const search = $("#search");
const found = $("#found");
const entries = all("#contents li > a").map((link) => ({ link, item: link.parentElement, text: undefined }));
const textOf = (entry) => {
  entry.text ??=
    `${entry.link.textContent} ${document.getElementById(entry.link.hash.slice(1))?.querySelector(".told, p")?.textContent ?? ""}`.toLowerCase();
  return entry.text;
};
const find = () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const leaves = entries.filter(({ item }) => item.querySelector("ul") === null);
  for (const entry of leaves) entry.item.hidden = !words.every((word) => textOf(entry).includes(word));
  for (const { item } of entries)
    if (item.querySelector("ul")) item.hidden = all("li", item).every(({ hidden }) => hidden);
  const count = leaves.filter(({ item }) => !item.hidden).length;
  found.textContent = words.length === 0 ? "" : `${count} found`;
};
search.addEventListener("input", find);
search.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    search.value = "";
    find();
  }
  if (event.key === "Enter")
    entries.find(({ item, link }) => !item.hidden && !item.querySelector("ul") && link.hash)?.link.click();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || /^(?:INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
  event.preventDefault();
  search.focus();
});

// Buttons that copy the shown text.
for (const figure of all("figure")) {
  const button = make("button", { type: "button", className: "copy", textContent: "Copy" });
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(all("pre", figure).find(({ hidden }) => !hidden).textContent);
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1500);
  });
  $("figcaption", figure).append(button);
}

// One language for all samples, remembered.
const LANGUAGE = "reference-language";
const choose = (language) => {
  for (const pre of all("pre[data-language]")) pre.hidden = pre.dataset.language !== language;
  for (const tab of all(".languages button")) tab.setAttribute("aria-pressed", String(tab.textContent === language));
};
for (const tab of all(".languages button")) {
  tab.addEventListener("click", () => {
    const { top } = tab.getBoundingClientRect();
    choose(tab.textContent);
    // The text that the reader sees stays in place.
    scrollBy(0, tab.getBoundingClientRect().top - top);
    localStorage.setItem(LANGUAGE, tab.textContent);
  });
}
choose(localStorage.getItem(LANGUAGE) ?? "curl");

// Marks the place of the reader.
const links = new Map(entries.filter(({ link }) => link.hash).map(({ link }) => [link.hash.slice(1), link]));
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

// Requests to this service, with the key from the field above. The key is kept as long as the tab.
const KEY = "reference-key";
const key = $("#key");
key.value = sessionStorage.getItem(KEY) ?? "";
key.addEventListener("change", () => sessionStorage.setItem(KEY, key.value.trim()));

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
    ...(trial.hasKey && { "x-api-key": key.value.trim() }),
    ...(trial.hasIdempotencyKey && { "Idempotency-Key": values.get("Idempotency-Key") }),
    ...(body !== undefined && {
      "Content-Type": trial.isForm ? "application/x-www-form-urlencoded" : "application/json",
    }),
  };
  return fetch(`${path}${query.size === 0 ? "" : `?${query}`}`, { method: trial.method, headers, body });
};

for (const article of all("article[data-trial]")) {
  const trial = JSON.parse(article.dataset.trial);
  const output = make("pre", { tabIndex: 0, hidden: true });
  output.setAttribute("aria-live", "polite");
  const form = make(
    "form",
    {},
    ...trial.parameters.map(({ name, required }) => field(name, "", required)),
    ...(trial.hasIdempotencyKey ? [field("Idempotency-Key", crypto.randomUUID(), true)] : []),
    ...(trial.body === null
      ? []
      : [
          make(
            "label",
            {},
            make("code", { textContent: "body" }),
            make("textarea", { name: "body", value: trial.body, rows: 8, spellcheck: false }),
          ),
        ]),
    make("button", { textContent: "Send" }),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    output.hidden = false;
    output.textContent = "…";
    try {
      if (trial.hasKey && key.value.trim() === "")
        throw new Error("Put an API key into the field at the top of the page first.");
      output.textContent = await shown(await send(trial, form));
    } catch (error) {
      output.textContent = error.message;
    }
  });
  const details = make(
    "details",
    { className: "trial" },
    make("summary", { textContent: "Send it to this service" }),
    form,
    output,
  );
  $("figure", article).after(details);
}
