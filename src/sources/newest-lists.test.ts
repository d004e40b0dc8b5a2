import { expect, test } from 'vitest'
import { BARE_CONTEXT } from './bare-context.suite.ts'
import type { CollectContext, Cursor } from './contract.ts'
import { pollNewest } from './newest-lists.ts'

const AT = new Date('2026-11-20T13:00:00Z')
const AT_SECONDS = AT.getTime() / 1000
const context = { ...BARE_CONTEXT, at: AT } as CollectContext

test('only what is new becomes posts, although the whole overlap is read each time', async () => {
  const converted: string[] = []
  const ids = ['b', 'a']
  const poll = async (cursor: Cursor | null): Promise<Cursor | null> => {
    let last = cursor
    const batches = pollNewest(context, cursor, {
      platform: 'lemmy',
      lists: ['posts'],
      mostPages: 2,
      overlapSeconds: 1800,
      arriveLate: true,
      mostIds: 100,
      async read(_context, _list, page) {
        const shown = page === 1 ? ids : []
        return shown.map((nativeId, at) => ({
          nativeId,
          seconds: AT_SECONDS - 10 - at,
          toPost() {
            converted.push(nativeId)
            return null
          },
        }))
      },
    })
    for await (const batch of batches) last = batch.cursor
    return last
  }
  const cursor = await poll(null)
  ids.unshift('c')
  await poll(cursor)
  expect(converted).toEqual(['a', 'b', 'c'])
})
