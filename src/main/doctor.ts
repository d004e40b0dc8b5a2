import { SECOND_MS, systemClock } from '../kernel/clock.ts'
import { describeSettings } from '../kernel/settings.ts'
import { readInstallationHealth } from '../queries/installation-health.ts'
import { listSources, type SourceView } from '../queries/sources/list-sources.ts'
import { openInstallation } from './installation.ts'

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
    const { db } = installation.services
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

/** Columns as wide as their widest cell; texts from outside cannot move the cursor. */
function table(title: string, rows: readonly (readonly string[])[]): string {
  const plain = rows.map((row) => row.map((cell) => cell.replace(/[^\x20-\x7e\u00a0-\uffff]/g, ' ')))
  const widths = plain.reduce<number[]>((wide, row) => row.map((cell, at) => Math.max(wide[at] ?? 0, cell.length)), [])
  const lines = plain.map((row) => `  ${row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('  ')}`)
  return [title, ...lines.map((line) => line.trimEnd()), ''].join('\n')
}
