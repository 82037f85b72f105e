import { openTemporaryStore } from "../temporary-store.ts";
import { anEventToAppend } from "./an-event-to-append.ts";

/** Appends pairs of events to many streams at once for ever; a line on standard output for each acknowledged pair. */
const [folder, round] = process.argv.slice(2);
const { store } = openTemporaryStore({}, folder);

async function writer(stream: string): Promise<void> {
  for (let revision = -1; ; revision += 2) {
    const pair = [anEventToAppend(), anEventToAppend()];
    const { position } = await store.append(stream, revision, pair);
    process.stdout.write(
      `${JSON.stringify({ stream, ids: pair.map(({ id }) => id), revision, position: `${position}` })}\n`,
    );
  }
}

await Promise.all(Array.from({ length: 40 }, (_, index) => writer(`stream-${round}-${index}`)));
