/**
 * Ids of what a command creates derive from the command's id, so that a repeated command creates the same again.
 */
function digits(commandId: string): string {
  return commandId.replaceAll("-", "");
}

export const accountIdOf = (commandId: string): string => `acc_${digits(commandId)}`;
export const credentialIdOf = (commandId: string): string => `crd_${digits(commandId)}`;
export const holdIdOf = (commandId: string): string => `hld_${digits(commandId)}`;
export const bookingIdOf = (commandId: string): string => `bkg_${digits(commandId)}`;
export const passengerIdOf = (commandId: string): string => `psg_${digits(commandId)}`;
export const redemptionIdOf = (commandId: string): string => `red_${digits(commandId)}`;
export const webhookEndpointIdOf = (commandId: string): string => `whe_${digits(commandId)}`;

/** Twelve random digits of a command id: its time, version and variant say little that is its own. */
export function randomDigitsOf(commandId: string): string {
  const all = digits(commandId);
  return all.slice(13, 16) + all.slice(17, 26);
}
