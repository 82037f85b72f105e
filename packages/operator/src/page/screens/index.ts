import type { Action, File, Screen } from "../screen.ts";
import { accountActions, accountScreens } from "./accounts.ts";
import { bookingActions, bookingScreens } from "./booking.ts";
import { documentActions, documentFiles, documentScreens } from "./documents.ts";
import { flightPageActions, flightPages } from "./flight.ts";
import { flightActions, flightScreens } from "./flights.ts";
import { moneyActions, moneyScreens } from "./money.ts";
import { overview } from "./overview.ts";
import { personActions, personFiles, persons } from "./persons.ts";
import { projectionActions, projections } from "./projections.ts";
import { reportFiles, reports } from "./reports.ts";
import { search } from "./search.ts";
import { streams } from "./streams.ts";
import { system, systemActions } from "./system.ts";
import { webhookActions, webhookScreens } from "./webhooks.ts";

export const SCREENS: readonly Screen[] = [
  overview,
  ...webhookScreens,
  projections,
  ...flightScreens,
  ...flightPages,
  ...moneyScreens,
  ...documentScreens,
  ...accountScreens,
  ...bookingScreens,
  reports,
  search,
  persons,
  streams,
  system,
];

export const ACTIONS: readonly Action[] = [
  ...webhookActions,
  ...projectionActions,
  ...flightActions,
  ...flightPageActions,
  ...moneyActions,
  ...documentActions,
  ...accountActions,
  ...bookingActions,
  ...personActions,
  ...systemActions,
];

export const FILES: readonly File[] = [...documentFiles, ...personFiles, ...reportFiles];
