import { operations } from "@travel-booking/api-contract";
import { RELEASES, type Release } from "@travel-booking/api-contract/changes";
import { type Html, html } from "@travel-booking/http/html";
import { inline } from "./html.ts";
import { page } from "./page.ts";

const TITLE = "Changelog of the Travel Booking Service API";

/** What each release has added to the interface, newest first. */
export function changelogPage(): string {
  return page(
    TITLE,
    html`<header>
<p class="title"><a class="home" href="/docs">Travel Booking Service API</a></p>
<p class="links"><a href="/docs">Reference</a></p>
</header>
<main id="content" class="alone">
<section class="guide"><h1>Changelog</h1>
<p>Within a version of the API nothing is taken away: answers may gain fields, lists of words may gain words, and errors may gain codes.</p>
${RELEASES.map(releaseSection)}</section>
</main>`,
  );
}

function releaseSection({ release, day, version, additions }: Release): Html {
  const ofVersion = version === undefined ? "" : html` <span class="mark">version ${version} of the API</span>`;
  return html`<h2 id="release-${release}">${release} <span class="mark">${day}</span>${ofVersion}</h2>
<ul>
${additions.map(
  (text) => html`<li>${linked(text)}</li>
`,
)}</ul>
`;
}

/** With each operation that is named linked to its place in the reference. */
function linked(text: string): Html {
  const parts = text.split(/(`\w+`)/).map((part) => {
    const id = part.slice(1, -1);
    const isOperation = part.startsWith("`") && operations.some((operation) => operation.id === id);
    return isOperation ? html`<a href="/docs#${id}"><code>${id}</code></a>` : inline(part);
  });
  return html`${parts}`;
}
