import { describe, expect, test } from 'vitest'
import { actionEntries, type Entry, findEntries, linkEntry } from './entries.ts'

const ENTRIES: readonly Entry[] = [
  linkEntry('places', 'Channels', '/channels'),
  linkEntry('places', 'Inbox', '/inbox'),
  linkEntry('keywords', 'The Café Inbox', '/keywords/kw_1'),
  linkEntry('keywords', 'in', '/keywords/kw_2'),
  { group: 'actions', label: 'Done', keys: 'e', does: { action: 'done' } },
]

function labels(query: string): Record<string, string[]> {
  return Object.fromEntries(
    findEntries(ENTRIES, query).map(({ value, items }) => [value, items.map(({ label }) => label)]),
  )
}

describe('entries of the palette', () => {
  test('are places and actions before somebody types', () => {
    expect(labels(' ')).toEqual({ places: ['Channels', 'Inbox'], actions: ['Done'] })
  })

  test('hold every word, whatever its case and accents, and begin with it before they hold it', () => {
    expect(labels('IN').keywords).toEqual(['in', 'The Café Inbox'])
    expect(labels('inbox cafe').keywords).toEqual(['The Café Inbox'])
    expect(labels('inbox missing').keywords).toBeUndefined()
  })

  test('end with searches for what was typed', () => {
    expect(labels('a&b').search).toHaveLength(2)
    const hrefs = findEntries(ENTRIES, 'a&b')
      .at(-1)!
      .items.map(({ does }) => 'href' in does && does.href)
    expect(hrefs).toEqual(['/inbox?q=a%26b', '/search?q=a%26b'])
  })

  test('lead to the page of a pasted id', () => {
    const [jump] = findEntries(ENTRIES, ' kw_01a2B3 ')
    expect(jump).toMatchObject({ value: 'jump', items: [{ does: { href: '/keywords/kw_01a2B3' } }] })
    expect(labels('kw_').jump).toBeUndefined()
    expect(labels('other_1').jump).toBeUndefined()
  })

  test('hold at most eight of a group for a query', () => {
    const many = Array.from({ length: 20 }, (_, at) => linkEntry('rules', `Rule ${at}`, `/alerts/${at}`))
    expect(findEntries(many, 'rule')[0]!.items).toHaveLength(8)
  })
})

test('actions are those that the page handles, without places and without the palette itself', () => {
  const entries = actionEntries((action) => ['undo', 'goInbox', 'palette', 'next'].includes(action))
  expect(entries).toEqual([{ group: 'actions', label: 'Undo the last change', keys: 'z', does: { action: 'undo' } }])
})
