import { randomUUID } from 'node:crypto'
import { terms } from './match/terms.ts'
import { rulesFor } from './match/measure.ts'
import { createMatcher } from '../src/matching/index.ts'
const all = terms(Number(process.env['N'] ?? 1_000_000), [])
const fresh: string[] = JSON.parse(JSON.stringify(all))
const ids = fresh.map(() => randomUUID())
const rules = fresh.map((term) => rulesFor(term))
const rounds = Number(process.env['ROUNDS'] ?? 4)
const parts: string[] = []
for (let round = 0; round < rounds; round += 1) {
  const matcher = createMatcher({ seed: 1 })
  if (process.env['RESERVE']) (matcher as any).reserve(fresh.length)
  const start = performance.now()
  const cpu = process.cpuUsage()
  for (let at = 0; at < fresh.length; at += 1) matcher.put(ids[at]!, rules[at]!)
  const took = performance.now() - start
  const used = process.cpuUsage(cpu)
  parts.push(`${(took * 1000 / fresh.length).toFixed(2)} µs (user ${(used.user / fresh.length).toFixed(2)} sys ${(used.system / fresh.length).toFixed(2)})`)
}
console.log(parts.join(' | '), `load`, (await import('node:os')).loadavg()[0]!.toFixed(1))
