// Pages work without this. With it they follow what happens, and the keyboard goes everywhere.
const isWriting = (element) => element?.matches("input, select, textarea") === true;

document.addEventListener("keydown", (event) => {
  if (isWriting(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (target === null) return;
  event.preventDefault();
  target.focus();
  if (!isWriting(target)) target.click();
});

for (const slider of document.querySelectorAll("input[type=range]")) {
  slider.addEventListener("change", () => slider.form.requestSubmit());
}

for (const chosen of document.querySelectorAll("input[data-into]")) {
  chosen.addEventListener("change", async () => {
    document.getElementById(chosen.dataset.into).value = await chosen.files[0].text();
  });
}

/** Replaces what has changed, but nothing the operator is at. */
function follow(text) {
  const fresh = new DOMParser().parseFromString(text, "text/html");
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = fresh.getElementById(part.id);
    if (next === null || part.contains(document.activeElement) || part.querySelector("details[open]")) continue;
    if (part.outerHTML !== next.outerHTML) part.replaceWith(next);
  }
}

if (document.querySelector("[data-live]") !== null) {
  const main = document.getElementById("main");
  const source = new EventSource(`/live?of=${encodeURIComponent(location.pathname + location.search)}`);
  source.onopen = () => {
    main.dataset.following = "true";
  };
  source.onmessage = ({ data }) => follow(JSON.parse(data));
  source.onerror = () => {
    main.dataset.following = "false";
  };
  addEventListener("pagehide", () => source.close());
}
