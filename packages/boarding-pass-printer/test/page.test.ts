import { describe, expect, test } from "@jest/globals";
import { renderPassesHtml } from "../src/page.ts";
import { passesOf, passOf } from "./sample-passes.ts";

/** The page without its fonts, whose data may contain any text. */
const shown = (html: string) => html.slice(html.indexOf("<body "));

describe("the pages", () => {
  test("what travellers call themselves is text, whatever it looks like", () => {
    const passengerName = `<img src=x onerror="alert(1)"> & 'Bobby'\u202E\u0000`;
    const html = shown(
      renderPassesHtml(
        {
          ...passesOf(passOf({ passengerName, memberNumber: "<b>1</b>" })),
          reference: "</style><script>",
        },
        "paper",
      ),
    );
    expect(html).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; &#39;Bobby&#39;");
    expect(html).toContain("&lt;b&gt;1&lt;/b&gt;");
    expect(html).not.toMatch(/<img|<script|<b>1|\u202E|\0/);
  });

  test("everything is in them: nothing is fetched", () => {
    const html = renderPassesHtml(passesOf(passOf()), "paper");
    expect(html).toContain("default-src 'none'");
    expect(html.match(/(?:src|href)=/g)).toBeNull();
    expect(html.match(/url\((?!data:font\/woff2;base64,)/g)).toBeNull();
  });

  test("of the fonts only what the passengers are written with", () => {
    const fontsOf = (passengerName: string) =>
      [...renderPassesHtml(passesOf(passOf({ passengerName })), "paper").matchAll(/font-family:"([^"]+)";/g)].map(
        ([, family]) => family,
      );
    expect(fontsOf("Ada Lovelace")).toStrictEqual(["JetBrains Mono", "Inter"]);
    expect(fontsOf("김")).toStrictEqual(["JetBrains Mono", "Inter", "Noto Sans KR"]);
    expect(new Set(fontsOf("李小龍"))).toStrictEqual(new Set(["JetBrains Mono", "Inter", "Noto Sans SC"]));
  });

  test("times are UTC, and boarding may begin the day before", () => {
    const html = shown(renderPassesHtml(passesOf(passOf()), "paper"));
    expect(html).toContain("23:30 UTC</strong><small>Sun, 28 Feb 2027");
    expect(html).toContain("00:15 UTC</strong><small>Mon, 1 Mar 2027");
  });

  test("a page per pass; a member number only for who has one", () => {
    const html = shown(renderPassesHtml(passesOf(passOf({ memberNumber: "TB-42" }), passOf(), passOf()), "phone"));
    expect(html.match(/class="pass"/g)?.length).toBe(3);
    expect(html.match(/Member number/g)?.length).toBe(1);
  });
});
