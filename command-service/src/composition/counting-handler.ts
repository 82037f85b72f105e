import { CommandHandler } from "../command-handling/command-handler.ts";

/** Counts the commands it is given; those that are refused count, too. */
export class CountingHandler extends CommandHandler {
  commands = 0;

  override execute: CommandHandler["execute"] = (execution) => {
    this.commands += 1;
    return super.execute(execution);
  };
}
