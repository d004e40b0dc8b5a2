import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Mention } from '../api/mentions.ts'
import { COUNT_KEY } from '../app/mention-count.ts'
import { LIST_KEY, MentionCache } from './mention-cache.ts'

function mentionNamed(id: string, status: Mention['status']): Mention {
  return { id, status, relevant: true, triage: { assignee: null, snoozedUntil: null } } as Mention
}

test('counts follow a change of triage where it is known that the mention is among them', () => {
  const client = new QueryClient()
  const counts = [
    { status: ['open'], relevant: true },
    { status: ['done'] },
    { status: ['open'], platforms: ['reddit'] },
    { status: ['open'], platforms: ['x'] },
  ]
  for (const query of counts) client.setQueryData([...COUNT_KEY, query], { total: 10 })
  const pages = { pages: [{ data: [mentionNamed('a', 'open'), mentionNamed('b', 'open')] }], pageParams: [null] }
  client.setQueryData([...LIST_KEY, { platforms: ['reddit'], status: ['open'], sort: 'newest' }], pages)
  const totals = () => counts.map((query) => client.getQueryData<{ total: number }>([...COUNT_KEY, query])!.total)

  new MentionCache(client).replace([mentionNamed('a', 'done'), mentionNamed('elsewhere', 'done')])
  expect(totals()).toEqual([9, 11, 9, 10])
  new MentionCache(client).replace([mentionNamed('a', 'open')])
  expect(totals()).toEqual([10, 10, 10, 10])
})
