import { systemClock } from '../kernel/clock.ts'
import { toId } from '../kernel/ids.ts'
import { type ModelCost, readModelCosts, readModelSpending } from '../queries/model-costs.ts'
import { openInstallation } from './installation.ts'
import { table } from './table.ts'

/** Prints the cost of the language model for the last `days` days, today included. */
export async function modelCosts(days: number): Promise<void> {
  const { services, settings, close } = await openInstallation('command')
  try {
    const at = systemClock.now()
    const costs = await readModelCosts(services.db, days, at)
    const spent = await readModelSpending(services.db, at)
    const cap = settings.secondLook
    console.log(
      `Scoring by the language model cost ${dollars(spent)} ` +
        `today${cap === null ? '; CLASSIFIER is offline' : ` of ${dollars(cap.dailyMicroUsd)}`}.`,
    )
    console.log(
      costs.length === 0
        ? `The language model was not used in the last ${days} days.`
        : table('Costs', [HEAD, ...costs.map(rowOf), totalOf(costs)]).trimEnd(),
    )
  } finally {
    await close()
  }
}

const HEAD = ['day', 'workspace', 'calls', 'tokens read', 'tokens written', 'cost']

function rowOf({ day, workspaceId, workspace, calls, inputTokens, outputTokens, microUsd }: ModelCost): string[] {
  return [
    day,
    `${workspace} (${toId('org', workspaceId)})`,
    ...[calls, inputTokens, outputTokens].map(String),
    dollars(microUsd),
  ]
}

function totalOf(costs: readonly ModelCost[]): string[] {
  const sum = (figure: (cost: ModelCost) => number) => costs.reduce((total, cost) => total + figure(cost), 0)
  const counts = [
    sum(({ calls }) => calls),
    sum(({ inputTokens }) => inputTokens),
    sum(({ outputTokens }) => outputTokens),
  ]
  return ['all days', '', ...counts.map(String), dollars(sum(({ microUsd }) => microUsd))]
}

/** Four decimals, because a call costs a fraction of a cent. */
function dollars(microUsd: number): string {
  return `$${(microUsd / 1_000_000).toFixed(4)}`
}
