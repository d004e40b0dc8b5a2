import { expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store } from '../../../test/mentions.ts'
import { createWorld } from '../../../test/world.ts'

test('the suggestions alone are those of the report, for a read key, too', async () => {
  const world = await createWorld()
  try {
    const acme = await world.workspace('Acme')
    const keyword = await makeKeyword(acme, { term: 'mint' })
    const posts = (count: number, text: string, platform: 'reddit' | 'x') =>
      Array.from({ length: count }, (_, at) =>
        matchedBy(makePost(world, { text: `mint ${text} ${at}`, platform }), [keyword]),
      )
    await score(world, await store(world, posts(8, 'budget', 'x')))
    await score(world, await store(world, posts(12, 'julep', 'reddit')), { relevance: 0 })
    const path = `/v1/keywords/${keyword.shown.id}`
    const { status, body } = await acme.api('GET', `${path}/suggestions?range=7d`, undefined, { key: acme.readKey })
    expect(status).toBe(200)
    expect(body.data.map(({ type }: { type: string }) => type).sort()).toEqual([
      'excluded_terms',
      'platforms',
      'required_terms',
    ])
    expect(body.data).toEqual((await acme.api('GET', `${path}/health?range=7d`)).body.suggestions)
  } finally {
    await world.close()
  }
})
