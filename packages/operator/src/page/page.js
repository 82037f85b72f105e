// Pages work without this script. It adds live updates and keyboard shortcuts.
const isWriting = (element) => element?.matches("input, select, textarea") === true;

document.addEventListener("keydown", (event) => {
  if (isWriting(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (target === null) return;
  event.preventDefault();
  target.focus();
  if (!isWriting(target)) target.click();
});

document.addEventListener("click", ({ target }) => {
  const id = target.closest("code.id");
  if (id !== null) navigator.clipboard?.writeText(id.textContent);
});

for (const slider of document.querySelectorAll("input[type=range]")) {
  slider.addEventListener("change", () => slider.form.requestSubmit());
}

for (const chosen of document.querySelectorAll("input[data-into]")) {
  chosen.addEventListener("change", async () => {
    document.getElementById(chosen.dataset.into).value = await chosen.files[0].text();
  });
}

/** Replaces the changed parts of the page, except the one the operator is working in. */
function follow(text) {
  const fresh = new DOMParser().parseFromString(text, "text/html");
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = fresh.getElementById(part.id);
    if (next === null || part.contains(document.activeElement) || part.querySelector("details[open], .refused"))
      continue;
    if (part.outerHTML !== next.outerHTML) part.replaceWith(next);
  }
}

if (document.querySelector("[data-live]") !== null) {
  const main = document.getElementById("main");
  const of = encodeURIComponent(main.dataset.of);
  const source = new EventSource(`/live?of=${of}&load=${main.dataset.load}`);
  source.onopen = () => {
    main.dataset.following = "true";
  };
  source.onmessage = ({ data }) => follow(JSON.parse(data));
  source.onerror = () => {
    main.dataset.following = "false";
  };
  addEventListener("pagehide", () => source.close());
  // Back again, a page is loaded anew: what its forms sent before is carried out once only.
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
}
