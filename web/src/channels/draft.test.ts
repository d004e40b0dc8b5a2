import { expect, test } from 'vitest'
import { type ChannelDraft, changeOf } from './draft.ts'

const FORMER: ChannelDraft = { label: 'Desk', url: 'https://a.example/', headers: 'x-a: 1', emails: null }

test.each<[string, Partial<ChannelDraft>, ReturnType<typeof changeOf>]>([
  ['nothing', { label: ' Desk ' }, { change: {}, badHeader: null }],
  ['no label', { label: ' ' }, { change: { label: null }, badHeader: null }],
  ['an address', { url: ' https://b.example/ ' }, { change: { url: 'https://b.example/' }, badHeader: null }],
  ['headers', { headers: 'x-b: 2' }, { change: { headers: { 'x-b': '2' } }, badHeader: null }],
  ['no headers', { headers: '' }, { change: { headers: {} }, badHeader: null }],
  ['a bad header', { label: 'New', headers: 'x-b' }, { change: { label: 'New' }, badHeader: 'x-b' }],
])('%s', (_, part, expected) => {
  expect(changeOf(FORMER, { ...FORMER, ...part })).toEqual(expected)
})

test('recipients are sent as a whole', () => {
  const former: ChannelDraft = { label: 'Mail', url: null, headers: null, emails: ['a@b.example'] }
  expect(changeOf(former, former).change).toEqual({})
  expect(changeOf(former, { ...former, emails: ['a@b.example', 'c@d.example'] }).change).toEqual({
    emails: ['a@b.example', 'c@d.example'],
  })
})
