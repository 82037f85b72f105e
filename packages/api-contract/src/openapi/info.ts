/** The guide that stands before the operations, in CommonMark. */
const GUIDE = `Book interstellar journeys: find a flight, look at its seats, hold some, book, pay, travel.

## Conventions

Bodies are JSON. Moments are ISO 8601 date-times, days are \`YYYY-MM-DD\`, amounts are whole cents. Ids are opaque.
Unknown parameters and fields of a request are refused; answers may gain fields, so ignore those you do not know.

## Authentication

Every operation but three takes one credential: an API key in \`x-api-key\`, or an access token in
\`Authorization: Bearer …\`. None is taken by the token endpoint, by this description and by the public keys of boarding passes.
A credential sees what belongs to its account and nothing else: the ids of others
answer 404. Pages in a browser send access tokens alone, where the installation names their origin.

## Rate limits

60 requests a minute for each credential, unless the installation says otherwise; \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\`
and \`X-RateLimit-Reset\` tell where you stand. A 429 says in \`Retry-After\` how many seconds to wait.
An answer that is kept under an \`Idempotency-Key\` counts as one request more for each 4,096 bytes of it; its
repetitions do not.

## Trying again

Every POST and PATCH takes an \`Idempotency-Key\`; a payment needs one. Sent again within 24 hours, the same request has the
first answer once more, with \`Idempotent-Replayed: true\`. A key that was used with another request answers 422.

## Lists

A list answers \`data\` and \`page\`. Where \`page.hasMore\` is true, \`page.nextCursor\` is the \`cursor\` of the next page; a
page may have fewer entries than \`limit\`, or none, and others behind it. Nothing is skipped or repeated while others write.

## Your own writes

After a successful command every read under the same credential shows it.

## Errors

The header \`Service-Error-Code\` says why, for programs; each answer lists its codes. The body has \`statusCode\`, \`message\` and \`error\`; \`message\` is for people, a list where a request failed validation. \`X-Request-Id\` is on
every answer: name it when you ask for help. A 502 or 504 may come from a proxy on the way; send the same request again with the
same \`Idempotency-Key\`.

## Versions

\`Service-Version\` chooses the version of the API and is echoed; unless it is sent, you are answered in the version of when your
account was made. The only version so far is \`2026-11-01\`.`;

export const info = {
  title: "Travel Booking Service API",
  version: "1.0.0",
  summary: "A booking service for interstellar journeys.",
  description: GUIDE,
  contact: { name: "Whoever runs this installation" },
  // The API is not licensed, so it has no licence text, and SPDX has no identifier for that.
  license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
} as const;
