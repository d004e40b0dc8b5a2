import { expect, test } from 'vitest'
import { makeKeyword, mention, score } from '../../../test/mentions.ts'
import { until } from '../../../test/until.ts'
import { useWorld } from '../../../test/use-world.ts'
import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { createFoldStage } from './fold-people.ts'

const world = useWorld()

test('people are added up a moment after scores, a minute later what nobody told of, and the stage ends with its signal', async () => {
  const { db, clock } = world
  const acme = await world.workspace('Acme')
  const keyword = await makeKeyword(acme)
  const seen = async () =>
    (await acme.api('GET', '/v1/people')).body.data.map(({ stats }: { stats: { mentions: number } }) => stats.mentions)
  const ending = new AbortController()
  const stage = createFoldStage({ db, clock, log: silentLog })
  const running = stage.run(ending.signal)
  await score(world, [await mention(world, keyword)])
  await clock.advance(2 * SECOND_MS)
  expect(await seen()).toEqual([])
  stage.wake()
  await until(() => clock.waits === 1)
  await clock.advance(SECOND_MS)
  while ((await seen()).length === 0) await clock.advance(0)
  expect(await seen()).toEqual([1])
  await score(world, [await mention(world, keyword)])
  while ((await seen())[0] !== 2) await clock.advance(MINUTE_MS)
  ending.abort()
  await running
})
