import { cleanLine } from '../cli/index.ts'
import { wrapped } from '../cli/terminal/table.ts'
import { countWaitingMails } from '../commands/mail/send-mails.ts'
import { COMMAND } from '../kernel/checkout.ts'
import { SECOND_MS, systemClock } from '../kernel/clock.ts'
import { isModelFault } from '../models/contract.ts'
import { type InstallationBeginning, readBeginning } from '../queries/accounts/read-beginning.ts'
import { readInstallationHealth } from '../queries/installation-health.ts'
import { listSources, type SourceView } from '../queries/sources/list-sources.ts'
import { readBackupState } from '../store/backup/scheduled-backups.ts'
import { backupReport } from './backup-report.ts'
import { cellsReport } from './cells-report.ts'
import { readDiskForecast } from './disk-use.ts'
import { type Installation, openInstallation, settingsOfProcess } from './installation.ts'
import { mailTransportOf } from './mail.ts'
import { isForThisMachine } from './open-port.ts'
import { postStreamReport } from './post-stream-report.ts'
import { describeSettings, type Settings } from './settings.ts'
import { standbyReport } from './standby-report.ts'
import { storageReport } from './storage-report.ts'
import { table } from './table.ts'

/** A table of the report and its problems, one sentence each. */
interface Section {
  title: string
  rows: string[][]
  /** Sentences below the table. */
  notes?: readonly string[]
  wrong?: readonly string[]
}

/** Prints problems first, then what is set, then the state of each part. Exit code 1 if there are problems. */
export async function doctor(options: { all: boolean }): Promise<void> {
  const settings = settingsOfProcess()
  const sections = settings.cells.length > 0 ? await examineDoor(settings) : await examineInstallation(options)
  const wrong = sections.flatMap((section) => section.wrong ?? [])
  console.log(`${verdictOn(wrong)}\n`)
  for (const section of [settingsInForce(options), ...sections]) console.log(textOf(section))
  if (wrong.length > 0) process.exitCode = 1
}

/** A door has cells and no database. */
async function examineDoor(settings: Settings): Promise<Section[]> {
  return [{ title: 'Cells', ...(await cellsReport(settings)) }]
}

async function examineInstallation(options: { all: boolean }): Promise<Section[]> {
  const installation = await openInstallation('command')
  try {
    return await examine(installation, options)
  } finally {
    await installation.close()
  }
}

const WIDTH = 78

function textOf({ title, rows, notes = [] }: Section): string {
  const lines = notes.flatMap((note) =>
    wrapped(cleanLine(note), WIDTH).map((line, at) => `  ${at === 0 ? '' : '  '}${line}\n`),
  )
  return table(title, rows) + lines.join('')
}

async function examine(installation: Installation, options: { all: boolean }): Promise<Section[]> {
  const { db, publicUrl } = installation.services
  const beginning = await readBeginning(db, isForThisMachine(installation.settings))
  return [
    await databaseSection(installation),
    await storageSection(installation),
    await backupSection(installation),
    { title: 'People', rows: [['first account', FIRST_ACCOUNT[beginning](publicUrl)]] },
    await mailSection(installation),
    await paymentSection(installation),
    await languageModelSection(installation),
    await platformSection(installation, options),
    { title: 'Post stream', ...(await postStreamReport(installation)) },
  ]
}

function verdictOn(wrong: readonly string[]): string {
  if (wrong.length === 0) return 'No problems.'
  return [
    wrong.length === 1 ? '1 problem:' : `${wrong.length} problems:`,
    ...wrong.map((text) => `  - ${cleanLine(text)}`),
  ].join('\n')
}

/** The settings that differ from their defaults, or all. */
function settingsInForce({ all }: { all: boolean }): Section {
  const shown = describeSettings(process.env).filter(({ set }) => all || set)
  const rows = shown.map(({ name, value, set }) => (all ? [name, set ? 'set' : 'default', value] : [name, value]))
  return {
    title: all ? 'Settings' : 'Settings that are set (--all shows every setting)',
    rows: rows.length > 0 ? rows : [['none']],
  }
}

async function databaseSection(installation: Installation): Promise<Section> {
  const { settings, services } = installation
  const { db } = services
  const standby = await standbyReport(installation)
  const health = await readInstallationHealth(db)
  const failing = health.failingChannels
  return {
    title: 'Database',
    rows: [
      [
        'server',
        `PostgreSQL ${health.serverVersion}, ` +
          `${settings.databaseUrl ? 'DATABASE_URL' : `embedded in ${settings.dataDir}`}`,
      ],
      ...(settings.databaseDirectUrl === null ? [] : [['past the pooler', 'DATABASE_DIRECT_URL, the same database']]),
      ...standby.rows,
      ['workspaces', String(health.workspaces)],
      ['keywords', String(health.keywords)],
      ['mentions', `about ${health.mentionsEstimate}`],
      ['waiting for a score', String(health.waitingForScore)],
      ['waiting to be delivered', String(health.waitingForDelivery)],
      ['channels whose last five deliveries failed', String(failing)],
    ],
    wrong: [
      ...standby.wrong,
      ...(failing === 0
        ? []
        : [`${failing} ${failing === 1 ? 'channel has' : 'channels have'} failed five deliveries in a row.`]),
    ],
  }
}

async function storageSection({ settings, services }: Installation): Promise<Section> {
  return { title: 'Storage', ...storageReport(settings.retention, await readDiskForecast(settings, services)) }
}

async function backupSection({ settings, services: { db, clock } }: Installation): Promise<Section> {
  return { title: 'Backups', ...backupReport(await readBackupState(db), settings.backups, clock.now()) }
}

/** How to create the first account. */
const FIRST_ACCOUNT: Record<InstallationBeginning, (publicUrl: string) => string> = {
  over: () => 'exists',
  first_come: (publicUrl) => `none: the first person to sign up at ${publicUrl}/sign-up owns this installation`,
  by_operator: () => `none: invite the owner of a workspace with "${COMMAND} invite WORKSPACE EMAIL --role owner"`,
}

/** Connects to the mail server without sending mail. */
async function mailSection({ settings, services: { db, clock } }: Installation): Promise<Section> {
  const queue = ['mails about accounts that wait', String(await countWaitingMails(db, clock.now()))]
  const reports = [
    'bounces are taken at',
    addressesOfReports(settings).join(', ') || 'none: no mail provider is set up',
  ]
  const transport = mailTransportOf(settings, clock)
  if (settings.mail === null || transport === null)
    return { title: 'Mail', rows: [['server', 'none: SMTP_URL is not set, and no mail is sent'], queue, reports] }
  const { protocol, host } = new URL(settings.mail.smtpUrl)
  const trouble = await transport.check()
  await transport.close()
  const rows = [
    ['server', `${protocol}//${host}, ${trouble ?? 'takes mail'}`],
    ['sender', settings.mail.from],
    queue,
    reports,
  ]
  return { title: 'Mail', rows, wrong: trouble === null ? [] : [`The mail server ${host} takes no mail: ${trouble}.`] }
}

function addressesOfReports({ mailReports, publicUrl }: Installation['settings']): string[] {
  const { secret, sesTopics, mailgunKey, sendgridKey } = mailReports
  const set = {
    '': secret !== null,
    '/postmark': secret !== null,
    '/ses': sesTopics.length > 0,
    '/mailgun': mailgunKey !== null,
    '/sendgrid': sendgridKey !== null,
  }
  return Object.entries(set).flatMap(([path, isSet]) => (isSet ? [`${publicUrl}/hooks/email${path}`] : []))
}

/** Makes a request that changes nothing. */
async function paymentSection({ settings, services: { payments, publicUrl } }: Installation): Promise<Section> {
  const title = 'Payments'
  if (payments === null)
    return { title, rows: [['provider', 'none: STRIPE_SECRET_KEY is not set, and balances grow by grants alone']] }
  const fault = await payments.check()
  const trouble = fault?.kind === 'unavailable' ? 'does not answer' : 'refuses STRIPE_SECRET_KEY'
  const fares = fault === null ? 'takes requests' : trouble
  const rows = [
    ['provider', `Stripe${settings.stripe?.apiUrl ? ` at ${settings.stripe.apiUrl}` : ''}, ${fares}`],
    ['messages are taken at', `${publicUrl}/hooks/stripe`],
  ]
  return { title, rows, wrong: fault === null ? [] : [`Stripe ${fares}.`] }
}

/** Asks a minimal question without anybody's text. */
async function languageModelSection({ settings, services: { languageModel } }: Installation): Promise<Section> {
  const title = 'Language model'
  if (languageModel === null)
    return { title, rows: [['model', 'none: LANGUAGE_MODEL is not set, and no context is suggested']] }
  const schema = {
    type: 'object',
    properties: { ready: { type: 'boolean' } },
    required: ['ready'],
    additionalProperties: false,
  }
  const question = { instructions: 'Answer that you are ready.', input: {}, schema, maxTokens: 50 }
  const answer = await languageModel.complete(question, new AbortController().signal)
  const fault = isModelFault(answer) ? `${answer.fault}: ${answer.message}` : null
  const rows = [['model', `${languageModel.name} at ${settings.languageModel?.url}, ${fault ?? 'answers'}`]]
  return { title, rows, wrong: fault === null ? [] : [`The language model gives no answer (${fault}).`] }
}

async function platformSection({ services }: Installation, { all }: { all: boolean }): Promise<Section> {
  const sources = await listSources(services)
  const shown = sources.filter(({ status }) => all || status !== 'off')
  const off = sources.filter((source) => !shown.includes(source)).map(({ platform }) => platform)
  return {
    title: 'Platforms',
    rows: [['platform', 'mode', 'status', 'last success', 'newest post', 'today'], ...shown.map(rowOf)],
    notes: [...shown.flatMap(troubleOf), ...(off.length > 0 ? [`Off: ${off.join(', ')}.`] : []), ''],
    // A problem is a sentence.
    wrong: sources
      .filter(({ status }) => status === 'degraded')
      .map(({ platform, lastError }) => `${platform} is degraded. ${lastError ?? ''}`.trim()),
  }
}

function rowOf({ platform, mode, status, lagSeconds, lastSuccessAt, cost }: SourceView): string[] {
  const success = lastSuccessAt === null ? '-' : ago(new Date(lastSuccessAt))
  return [platform, mode, status, success, lagSeconds === null ? '-' : `${lagSeconds} s ago`, costOf(cost)]
}

function troubleOf({ platform, missing, lastError }: SourceView): string[] {
  const trouble = [missing.length > 0 ? `missing ${missing.join(', ')}` : null, lastError].filter(
    (text) => text !== null,
  )
  return trouble.length === 0 ? [] : [`${platform}: ${trouble.join('; ')}`]
}

function costOf({ usd, usdLimit, quotas }: SourceView['cost']): string {
  const of = (most: number | string | null) => (most === null ? '' : ` of ${most}`)
  const money =
    usd === 0 && usdLimit === null ? [] : [`$${usd.toFixed(2)}${of(usdLimit === null ? null : usdLimit.toFixed(2))}`]
  return [...money, ...quotas.map(({ name, used, limit }) => `${used}${of(limit)} ${name}`)].join(', ') || '-'
}

function ago(at: Date): string {
  return `${Math.max(0, Math.round((systemClock.now().getTime() - at.getTime()) / SECOND_MS))} s ago`
}
