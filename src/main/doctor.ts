import { countWaitingMails } from '../commands/mail/send-mails.ts'
import { SECOND_MS, systemClock } from '../kernel/clock.ts'
import { describeSettings } from '../kernel/settings.ts'
import { isModelFault } from '../models/contract.ts'
import { type Beginning, readBeginning } from '../queries/accounts/read-beginning.ts'
import { readInstallationHealth } from '../queries/installation-health.ts'
import { listSources, type SourceView } from '../queries/sources/list-sources.ts'
import { type Installation, openInstallation } from './installation.ts'
import { mailTransportOf } from './mail.ts'
import { isForThisMachine } from './open-port.ts'
import { table } from './table.ts'

/** Prints the settings in force and how the parts of the installation fare. */
export async function doctor(): Promise<void> {
  console.log(
    table(
      'Settings',
      describeSettings(process.env).map(({ name, value, set }) => [name, value, set ? 'set' : 'default']),
    ),
  )
  const installation = await openInstallation('command')
  try {
    const { db, publicUrl } = installation.services
    const beginning = await readBeginning(db, isForThisMachine(installation.settings))
    const health = await readInstallationHealth(db)
    console.log(
      table('Database', [
        [
          'server',
          `PostgreSQL ${health.serverVersion}, ${installation.settings.databaseUrl ? 'DATABASE_URL' : `embedded in ${installation.settings.dataDir}`}`,
        ],
        ['workspaces', String(health.workspaces)],
        ['keywords', String(health.keywords)],
        ['mentions', `about ${health.mentionsEstimate}`],
        ['waiting for a score', String(health.waitingForScore)],
        ['waiting to be delivered', String(health.waitingForDelivery)],
        ['channels whose last five deliveries failed', String(health.failingChannels)],
      ]),
    )
    console.log(table('People', [['first account', FIRST_ACCOUNT[beginning](publicUrl)]]))
    console.log(table('Mail', await mailRows(installation)))
    console.log(table('Payments', await paymentRows(installation)))
    console.log(table('Language model', await languageModelRows(installation)))
    console.log(
      table('Platforms', [
        ['platform', 'mode', 'status', 'last success', 'newest post', 'today', 'trouble'],
        ...(await listSources(installation.services)).map(rowOf),
      ]),
    )
  } finally {
    await installation.close()
  }
}

/** How the first account comes about, while there is none. */
const FIRST_ACCOUNT: Record<Beginning, (publicUrl: string) => string> = {
  over: () => 'is there',
  first_come: (publicUrl) => `none: the first to come to ${publicUrl}/sign-up owns this installation`,
  by_operator: () => 'none: invite the owner of a workspace with "earshot invite WORKSPACE EMAIL --role owner"',
}

/** Whether mail can be sent: the server is asked, and nothing is sent to anybody. */
async function mailRows({ settings, services: { db, clock } }: Installation): Promise<string[][]> {
  const waiting = await countWaitingMails(db, clock.now())
  const queue = ['mails about accounts that wait', String(waiting)]
  const transport = mailTransportOf(settings, clock)
  if (settings.mail === null || transport === null) return [['server', 'none: SMTP_URL is not set, and no mail is sent'], queue]
  const { protocol, host } = new URL(settings.mail.smtpUrl)
  const trouble = await transport.check()
  await transport.close()
  return [['server', `${protocol}//${host}, ${trouble ?? 'takes mail'}`], ['sender', settings.mail.from], queue]
}

/** Whether payments can be taken: the provider is asked for something that changes nothing. */
async function paymentRows({ settings, services: { payments, publicUrl } }: Installation): Promise<string[][]> {
  if (payments === null) return [['provider', 'none: STRIPE_SECRET_KEY is not set, and balances grow by grants alone']]
  const fault = await payments.check()
  const fares = fault === null ? 'takes requests' : fault.kind === 'unavailable' ? 'does not answer' : 'refuses STRIPE_SECRET_KEY'
  return [
    ['provider', `Stripe${settings.stripe?.apiUrl ? ` at ${settings.stripe.apiUrl}` : ''}, ${fares}`],
    ['messages are taken at', `${publicUrl}/hooks/stripe`],
  ]
}

/** Whether the language model answers: it is asked something that costs next to nothing and holds nobody's text. */
async function languageModelRows({ settings, services: { languageModel } }: Installation): Promise<string[][]> {
  if (languageModel === null) return [['model', 'none: LANGUAGE_MODEL is not set, and no context is suggested']]
  const schema = { type: 'object', properties: { ready: { type: 'boolean' } }, required: ['ready'], additionalProperties: false }
  const answer = await languageModel.complete({ instructions: 'Answer that you are ready.', input: {}, schema, maxTokens: 50 }, new AbortController().signal)
  const fares = isModelFault(answer) ? `${answer.fault}: ${answer.message}` : 'answers'
  return [['model', `${languageModel.name} at ${settings.languageModel?.url}, ${fares}`]]
}

/** The same that callers are shown of a platform, on one line. */
function rowOf({ platform, mode, status, missing, lagSeconds, lastSuccessAt, lastError, cost }: SourceView): string[] {
  const trouble = [missing.length > 0 ? `missing: ${missing.join(', ')}` : null, lastError].filter((one) => one !== null)
  const success = lastSuccessAt === null ? '-' : ago(new Date(lastSuccessAt))
  return [platform, mode, status, success, lagSeconds === null ? '-' : `${lagSeconds} s ago`, costOf(cost), trouble.join('; ')]
}

function costOf({ usd, usdLimit, quotas }: SourceView['cost']): string {
  const of = (most: number | string | null) => (most === null ? '' : ` of ${most}`)
  const money = usd === 0 && usdLimit === null ? [] : [`$${usd.toFixed(2)}${of(usdLimit === null ? null : usdLimit.toFixed(2))}`]
  return [...money, ...quotas.map(({ name, used, limit }) => `${used}${of(limit)} ${name}`)].join(', ') || '-'
}

function ago(at: Date): string {
  return `${Math.max(0, Math.round((systemClock.now().getTime() - at.getTime()) / SECOND_MS))} s ago`
}
