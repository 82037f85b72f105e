/** What a script would send that wants to confuse the service. */
process.on("message", () => process.send?.(null));
