import { expect, test } from 'vitest'
import { freshSetups, ready, scriptedSources } from '../../../test/stand-ins/sources.ts'
import { createTape } from '../../../test/stand-ins/tape.ts'
import { useWorld } from '../../../test/use-world.ts'
import { createWorld } from '../../../test/world.ts'
import { PLATFORMS } from '../../domain/platform/platforms.ts'

const world = useWorld(() => ({ sources: scriptedSources(...freshSetups()) }))

test('any credential is shown every platform of a fresh installation, in one order', async () => {
  const acme = await world.workspace('Acme')
  const { status, body } = await acme.api('GET', '/v1/sources', undefined, { key: acme.readKey })
  expect(status).toBe(200)
  expect(body.data.map(({ platform }: { platform: string }) => platform)).toEqual(PLATFORMS)
  const byStatus = (wanted: string) =>
    body.data.flatMap((item: { platform: string; status: string }) => (item.status === wanted ? [item.platform] : []))
  const setUp = freshSetups().filter(({ source }) => source !== null)
  expect(byStatus('ready')).toEqual(setUp.map(({ platform }) => platform))
  expect(byStatus('needs_configuration')).toHaveLength(PLATFORMS.length - setUp.length)
  for (const { status: item, missing } of body.data) expect(missing.length > 0).toBe(item === 'needs_configuration')
  expect(new Set(body.data.map(({ mode }: { mode: string }) => mode))).toEqual(new Set(['live', 'search', 'reviews']))
})

test('two workspaces are told the same', async () => {
  const answers = await Promise.all(
    ['Bravo', 'Charlie'].map(async (name) => (await (await world.workspace(name)).api('GET', '/v1/sources')).body),
  )
  expect(answers[0]).toEqual(answers[1])
})

test('an installation may know fewer platforms', async () => {
  const small = await createWorld({ sources: scriptedSources(ready(createTape().source)) })
  const { body } = await (await small.workspace('Acme')).api('GET', '/v1/sources')
  expect(body.data).toMatchObject([{ platform: 'bluesky', mode: 'live', status: 'ready' }])
  await small.close()
})
