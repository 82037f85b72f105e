import { createHmac, createSecretKey } from "node:crypto";
import { Pool } from "undici";
import { serveTasks } from "../children/serve-tasks.ts";
import { repeatFor, type TaskResult, timed } from "../store/tasks.ts";
import type { PostTask } from "../webhooks/tasks.ts";

const BODY = Buffer.alloc(525, "e");

/** "(g)": bodies signed and posted over connections that stay open, and nothing else. */
serveTasks(async ({ url, warmUpSeconds, seconds, inFlight }: PostTask): Promise<TaskResult> => {
  const pool = new Pool(new URL(url).origin, { connections: inFlight });
  const key = createSecretKey(Buffer.from("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));
  const post = async () => {
    const signature = createHmac("sha256", key).update(BODY).digest("hex");
    const headers = { "content-type": "application/json", "service-signature": signature };
    const { statusCode, body } = await pool.request({ method: "POST", path: "/", headers, body: BODY });
    await body.dump();
    if (statusCode !== 204) throw new Error(`the receiver answered ${statusCode}`);
  };
  await repeatFor({ seconds: warmUpSeconds, inFlight }, post);
  const result = await timed(() => repeatFor({ seconds, inFlight }, post));
  await pool.close();
  return result;
});
