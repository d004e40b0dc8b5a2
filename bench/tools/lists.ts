import { CATALOGUE } from '../../src/operations/catalogue.ts'
import { CORE_TOOLS } from '../../src/surfaces/mcp/core.ts'
import { GUIDES } from '../../src/surfaces/mcp/guides.ts'
import type { ListedTool } from '../../src/surfaces/mcp/schemas.ts'
import { toolsOf } from '../../src/surfaces/mcp/tools.ts'
import type { BenchRow } from '../contract.ts'

const KILO = 1000

/** What a client reads before its first call. */
export function listRows(): BenchRow[] {
  const tools = toolsOf(CATALOGUE)
  const core = tools.filter(({ whole }) => CORE_TOOLS.has(whole.name))
  const short = [...core.map(({ listed }) => listed.short), ...GUIDES]
  return [
    { measure: 'tools that a client is shown', value: short.length, unit: 'tools', must: 25, better: 'lower' },
    { measure: 'list of these tools', value: kilobytes(short), unit: 'kB', must: 40, better: 'lower' },
    {
      measure: 'list of all tools',
      value: kilobytes(tools.map(({ listed }) => listed.all)),
      unit: 'kB',
      must: 150,
      better: 'lower',
      note: `${tools.length} tools`,
    },
  ]
}

function kilobytes(listed: readonly ListedTool[]): number {
  return Buffer.byteLength(JSON.stringify(listed)) / KILO
}
