import { systemClock } from '../kernel/clock.ts'
import { describeSettings } from '../kernel/settings.ts'
import { readInstallationHealth } from '../queries/installation-health.ts'
import { createSources } from '../sources/registry.ts'
import { readSourceStates, type SourceState } from '../store/source-state.ts'
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
    const states = new Map((await readSourceStates(db)).map((state) => [state.source, state]))
    console.log(
      table(
        'Platforms',
        createSources().map((source) => [source.platform, source.mode, fareOf(states.get(source.platform))]),
      ),
    )
  } finally {
    await installation.close()
  }
}

function fareOf(state: SourceState | undefined): string {
  if (!state?.lastSuccessAt) return state?.lastError ? `never succeeded; ${state.lastError}` : 'not collected from yet'
  const success = `last success ${ago(state.lastSuccessAt)}`
  const newest = state.newestAt ? `, newest post ${ago(state.newestAt)}` : ''
  return `${success}${newest}${state.failures > 0 ? `; ${state.failures} failures since: ${state.lastError}` : ''}`
}

function ago(at: Date): string {
  return `${Math.round((systemClock.now().getTime() - at.getTime()) / 1000)} s ago`
}

/** Columns as wide as their widest cell; texts from outside cannot move the cursor. */
function table(title: string, rows: readonly (readonly string[])[]): string {
  const plain = rows.map((row) => row.map((cell) => cell.replace(/[^\x20-\x7e\u00a0-\uffff]/g, ' ')))
  const widths = plain.reduce<number[]>((wide, row) => row.map((cell, at) => Math.max(wide[at] ?? 0, cell.length)), [])
  const lines = plain.map((row) => `  ${row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('  ')}`)
  return [title, ...lines, ''].join('\n')
}
