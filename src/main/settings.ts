import { existsSync } from 'node:fs'
import { findMailProblems, MAIL_SETTINGS, type MailSettings, mailSettingsOf } from '../channels/email/settings.ts'
import { findSlackProblems, SLACK_SETTINGS, type SlackSettings, slackSettingsOf } from '../channels/slack/settings.ts'
import { TELEGRAM_SETTINGS, type TelegramSettings, telegramSettingsOf } from '../channels/telegram/settings.ts'
import {
  CLASSIFIER_SETTINGS,
  CLASSIFY_THREAD_SETTINGS,
  type ClassifySettings,
  classifySettingsOf,
  findClassifierProblems,
  TOKEN_PRICE_SETTINGS,
} from '../classify/settings.ts'
import { CLIENT_VARIABLES } from '../cli/variables.ts'
import {
  findSignUpProblems,
  SIGN_UP_SETTINGS,
  type SignUpSettings,
  signUpSettingsOf,
} from '../commands/accounts/settings.ts'
import { RETENTION_SETTINGS, type RetentionSettings, retentionSettingsOf } from '../commands/retention/settings.ts'
import { BILLING_SETTINGS, type BillingSettings, billingSettingsOf } from '../commands/wallet/settings.ts'
import {
  describeTable,
  type Environment,
  findUnknownNames,
  type GivenSettings,
  givenIn,
  readTable,
  renderTable,
  type SettingsTable,
} from '../kernel/settings.ts'
import { StartError } from '../kernel/start-error.ts'
import {
  findLanguageModelProblems,
  LANGUAGE_MODEL_SETTINGS,
  type LanguageModelSettings,
  languageModelSettingsOf,
} from '../models/settings.ts'
import {
  findStripeProblems,
  STRIPE_SETTINGS,
  type StripeSettings,
  stripeSettingsOf,
} from '../payments/stripe/settings.ts'
import { DELIVER_SETTINGS, type DeliverSettings, deliverSettingsOf } from '../pipeline/deliver/settings.ts'
import { READ_SETTINGS, type ReadSettings, readSettingsOf } from '../pipeline/read/settings.ts'
import { STORE_STAGE_SETTINGS, type StoreStageSettings, storeStageSettingsOf } from '../pipeline/store/settings.ts'
import { SOURCES_SETTINGS, type SourcesSettings, sourcesSettingsOf, USER_AGENT_SETTINGS } from '../sources/settings.ts'
import {
  type DataPlaces,
  findDatabaseProblems,
  STORE_SETTINGS,
  type StoreSettings,
  storeSettingsOf,
} from '../store/settings.ts'
import { type PostStreamSettings, postStreamSettingsOf, STREAM_SETTINGS } from '../stream/settings.ts'
import {
  findSignInProblems,
  SIGN_IN_SETTINGS,
  type SignInSettings,
  signInSettingsOf,
} from '../surfaces/auth/providers/settings.ts'
import { CELL_SETTINGS, type CellSettings, cellSettingsOf, findCellProblems } from '../surfaces/cells/settings.ts'
import { EMAIL_HOOK_SETTINGS, type MailReportSettings, mailReportSettingsOf } from '../surfaces/inbound/settings.ts'
import {
  type CallerSettings,
  callerSettingsOf,
  LISTENING_SETTINGS,
  type ListeningSettings,
  listeningSettingsOf,
  OPERATOR_SETTINGS,
  PROXY_SETTINGS,
} from '../surfaces/rest/settings.ts'
import { WEB_SETTINGS, type WebSettings, webSettingsOf } from '../surfaces/web/settings.ts'
import { BACKUP_SETTINGS, type BackupSettings, backupSettingsOf } from './backup-settings.ts'
import { EGRESS_SETTINGS, PROCESS_SETTINGS, type ProcessSettings, processSettingsOf } from './process-settings.ts'

/** All settings with their values, read once at start. */
export interface Settings
  extends ListeningSettings,
    WebSettings,
    StoreSettings,
    BackupSettings,
    ProcessSettings,
    RetentionSettings,
    BillingSettings,
    ClassifySettings,
    SignUpSettings,
    MailSettings,
    SignInSettings,
    StripeSettings,
    LanguageModelSettings,
    SlackSettings,
    TelegramSettings,
    CallerSettings,
    CellSettings,
    DeliverSettings,
    ReadSettings,
    StoreStageSettings,
    SourcesSettings {
  mailReports: MailReportSettings
  postStream: PostStreamSettings | null
}

/** In the order of documentation and problems. */
export const SETTINGS = {
  ...LISTENING_SETTINGS,
  ...WEB_SETTINGS,
  ...STORE_SETTINGS,
  ...BACKUP_SETTINGS,
  ...PROCESS_SETTINGS,
  ...RETENTION_SETTINGS,
  ...BILLING_SETTINGS,
  ...CLASSIFIER_SETTINGS,
  ...SIGN_UP_SETTINGS,
  ...MAIL_SETTINGS,
  ...EMAIL_HOOK_SETTINGS,
  ...SIGN_IN_SETTINGS,
  ...STRIPE_SETTINGS,
  ...LANGUAGE_MODEL_SETTINGS,
  ...TOKEN_PRICE_SETTINGS,
  ...SLACK_SETTINGS,
  ...TELEGRAM_SETTINGS,
  ...PROXY_SETTINGS,
  ...DELIVER_SETTINGS,
  ...EGRESS_SETTINGS,
  ...OPERATOR_SETTINGS,
  ...CELL_SETTINGS,
  ...USER_AGENT_SETTINGS,
  ...READ_SETTINGS,
  ...STORE_STAGE_SETTINGS,
  ...STREAM_SETTINGS,
  ...CLASSIFY_THREAD_SETTINGS,
  ...SOURCES_SETTINGS,
} satisfies SettingsTable

/** Problems of settings in combination. */
const COMBINATIONS: readonly ((given: GivenSettings) => string[])[] = [
  findDatabaseProblems,
  findSignInProblems,
  findStripeProblems,
  findSlackProblems,
  findLanguageModelProblems,
  findClassifierProblems,
  findSignUpProblems,
  findMailProblems,
  findCellProblems,
]

const OWN_PREFIX = 'EARSHOT_'

/**
 * Throws one StartError that names every invalid value and every unknown name beginning with EARSHOT_. An empty value
 * counts as absent.
 */
export function readSettings(environment: Environment, places: DataPlaces & { version: string }): Settings {
  const given = givenIn(environment)
  const { values, problems } = readTable(SETTINGS, given)
  const wrong = [
    ...problems,
    ...findUnknownNames(given, OWN_PREFIX, new Set([...Object.keys(SETTINGS), ...CLIENT_VARIABLES])),
    ...COMBINATIONS.flatMap((findProblems) => findProblems(given)),
  ]
  if (wrong.length > 0) throw new StartError(wrong.join('\n'))
  const listening = listeningSettingsOf(values, { insideContainer: isInsideContainer(environment) })
  return {
    ...listening,
    ...storeSettingsOf(values, places),
    ...backupSettingsOf(values, places),
    ...processSettingsOf(values),
    ...retentionSettingsOf(values),
    ...billingSettingsOf(values),
    ...classifySettingsOf(values),
    ...signUpSettingsOf(values),
    ...mailSettingsOf(values, listening.publicUrl),
    mailReports: mailReportSettingsOf(values),
    postStream: postStreamSettingsOf(values),
    ...signInSettingsOf(values),
    ...stripeSettingsOf(values),
    ...languageModelSettingsOf(values),
    ...slackSettingsOf(values),
    ...telegramSettingsOf(values),
    ...webSettingsOf(values),
    ...callerSettingsOf(values, listening.publicUrl),
    ...cellSettingsOf(values),
    ...deliverSettingsOf(values),
    ...readSettingsOf(values),
    ...storeStageSettingsOf(values),
    ...sourcesSettingsOf(values, places.version),
  }
}

/** For the operator, with secrets hidden. */
export function describeSettings(environment: Environment): { name: string; value: string; set: boolean }[] {
  return describeTable(SETTINGS, environment)
}

export function renderSettings(): string {
  return [
    '# Settings',
    '',
    'Settings are read from the environment when the service starts. An empty value counts as absent. A bad ' +
      'value, and any',
    'unknown name that begins with `EARSHOT_`, stops the start with a line that names it. `earshot doctor` shows ' +
      'what is in force.',
    '',
    renderTable(SETTINGS),
    '',
  ].join('\n')
}

/** There a forwarded port connects other machines. */
function isInsideContainer(environment: Environment): boolean {
  return (
    Boolean(environment.KUBERNETES_SERVICE_HOST?.trim()) ||
    existsSync('/.dockerenv') ||
    existsSync('/run/.containerenv')
  )
}
