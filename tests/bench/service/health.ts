import http from "node:http";

/** Whether a GET is answered with 200 now; nobody listening is a no. */
export function answersOk(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    http
      .get({ host: "127.0.0.1", port, path, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      })
      .on("error", () => resolve(false));
  });
}
