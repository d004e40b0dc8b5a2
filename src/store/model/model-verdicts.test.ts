import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { GOOD } from '../../../test/stand-ins/scripted-classifier.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import type { Verdict } from '../../domain/mention/classification.ts'
import { plus } from '../../kernel/clock.ts'
import {
  findModelVerdicts,
  keepModelVerdicts,
  MODEL_VERDICT_LIFETIME_MS,
  pruneModelVerdicts,
} from './model-verdicts.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')
const zeta = useWorkspace(world, 'Zeta')

const keyOf = (text: string) => createHash('sha256').update(text).digest()
const VERDICT: Verdict = {
  ...GOOD,
  sentiment: 'negative',
  intents: ['bug_report', 'testimonial'],
  automated: true,
  language: null,
  confidence: 0.77,
}

test('a verdict is found as it was kept, by its workspace alone, for thirty days', async () => {
  const [key, at] = [keyOf('a'), world.clock.now()]
  const wanted = [acme, zeta].flatMap(({ workspaceId }) =>
    [key, key, keyOf('other')].map((buffer) => ({ workspaceId, key: buffer })),
  )
  await keepModelVerdicts(world.db, acme.workspaceId, [{ key, verdict: VERDICT }], at)
  expect(await findModelVerdicts(world.db, wanted, at)).toEqual([
    { workspaceId: acme.workspaceId, key, verdict: VERDICT },
  ])
  const later = plus(at, MODEL_VERDICT_LIFETIME_MS)
  expect(await findModelVerdicts(world.db, wanted, plus(later, -1))).toHaveLength(1)
  expect(await findModelVerdicts(world.db, wanted, later)).toEqual([])
  expect(await pruneModelVerdicts(world.db, plus(later, -1))).toBe(0)
  expect(await pruneModelVerdicts(world.db, later)).toBe(1)
})

test('two that keep the same at once do not fail, and the last word stays', async () => {
  const keys = Array.from({ length: 20 }, (_, at) => keyOf(`both ${at}`))
  const kept = (note: string, order: readonly Buffer[]) =>
    keepModelVerdicts(
      world.db,
      acme.workspaceId,
      [...order, order[0]!].map((key) => ({ key, verdict: { ...GOOD, note } })),
      world.clock.now(),
    )
  await Promise.all([kept('one', keys), kept('two', [...keys].reverse()), kept('three', keys)])
  await kept('last', keys)
  const found = await findModelVerdicts(
    world.db,
    keys.map((key) => ({ workspaceId: acme.workspaceId, key })),
    world.clock.now(),
  )
  expect(found.map(({ verdict }) => verdict.note)).toEqual(Array(20).fill('last'))
})
