import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newUuid, toId, type Uuid } from '../../kernel/ids.ts'
import { ATTENTION_EVENTS } from './account-events.ts'
import { type AttentionKeyword, eventDataOf, type Finding, planAttention } from './findings.ts'
import { type AttentionKind, attentionStatusOf } from './kinds.ts'

const AT = new Date('2026-11-20T09:00:00.000Z')
const id = () => newUuid(AT)
const [workspaceId, keywordId, groupId, itemId] = [id(), id(), id(), id()]
const keyword: AttentionKeyword = {
  id: keywordId,
  term: 'acme',
  kind: 'brand',
  groupId,
  groupName: 'Client',
  inDefaultGroup: false,
}
const window = { from: AT, until: new Date('2026-11-20T10:00:00.000Z') }
const windowTold = { from: '2026-11-20T09:00:00.000Z', to: '2026-11-20T10:00:00.000Z' }
const keywordTold = {
  id: toId('kw', keywordId),
  term: 'acme',
  kind: 'brand',
  name: 'acme (Client)',
  groupId: toId('grp', groupId),
}

test.each<[Finding, Record<string, unknown>]>([
  [
    {
      workspaceId,
      kind: 'mention.spike',
      keyword,
      window,
      matches: 40,
      relevant: 12,
      baseline: { hours: 168, matches: 336, squares: 1344 },
    },
    {
      keyword: keywordTold,
      window: windowTold,
      matches: 40,
      relevant: 12,
      baseline: { meanPerHour: 2, stddevPerHour: 2, hours: 168 },
    },
  ],
  [
    {
      ...{ workspaceId, kind: 'sentiment.negative_spike', keyword: { ...keyword, inDefaultGroup: true }, window },
      now: { scored: 30, relevant: 20, negative: 10 },
      before: { scored: 9, relevant: 0, negative: 0 },
    },
    {
      keyword: { ...keywordTold, name: 'acme' },
      window: windowTold,
      ...{ negative: 10, relevant: 20, share: 0.5 },
      baseline: { negative: 0, relevant: 0, share: null },
    },
  ],
  [
    { workspaceId, kind: 'keyword.noisy', keyword, scored: 40, relevant: 10 },
    { keyword: keywordTold, windowDays: 14, scored: 40, relevant: 10, noiseShare: 0.75 },
  ],
  [
    {
      workspaceId,
      kind: 'channel.failing',
      channel: { id: keywordId, kind: 'slack', label: '#alerts' },
      failures: 7,
      lastError: 'HTTP 500',
      since: AT,
    },
    {
      channel: { id: toId('dest', keywordId), kind: 'slack', label: '#alerts' },
      failures: 7,
      lastError: 'HTTP 500',
      since: '2026-11-20T09:00:00.000Z',
    },
  ],
])('the data of $kind is that of the specification', (finding, data) => {
  const attentionId = toId('att', itemId)
  expect(eventDataOf(finding, itemId, 'https://earshot.test')).toEqual({
    attentionId,
    url: `https://earshot.test/attention?item=${attentionId}`,
    ...data,
  })
})

/** Subjects of a made-up workspace. */
const SUBJECTS = [id(), id(), id()]
const finding = fc
  .record({ kind: fc.constantFrom(...ATTENTION_EVENTS), subject: fc.constantFrom(...SUBJECTS) })
  .map(
    ({ kind, subject }) =>
      ({ workspaceId, kind, keyword: { id: subject }, channel: { id: subject } }) as unknown as Finding,
  )
const look = fc.uniqueArray(finding, { selector: (item) => `${item.kind} ${'keyword' in item ? item.keyword.id : ''}` })

test('a condition opens one item for each time that it begins, whether or not somebody dismisses it meanwhile, and none lasts longer than it', () => {
  interface Item {
    kind: AttentionKind
    subjectId: Uuid
    resolvedAt: Date | null
    dismissedAt: Date | null
  }
  fc.assert(
    fc.property(fc.array(fc.record({ found: look, dismissed: fc.array(fc.nat(20)) }), { maxLength: 12 }), (looks) => {
      const items: Item[] = []
      let before = new Set<string>()
      for (const { found, dismissed } of looks) {
        const lasting = items.filter(({ resolvedAt }) => resolvedAt === null)
        const { opens, ends } = planAttention(lasting, found)
        for (const item of ends) item.resolvedAt = AT
        for (const open of opens)
          items.push({
            kind: open.kind,
            subjectId: (open as { keyword: { id: Uuid } }).keyword.id,
            resolvedAt: null,
            dismissedAt: null,
          })
        const now = new Set(found.map((item) => `${item.kind} ${(item as { keyword: { id: Uuid } }).keyword.id}`))
        expect(new Set(opens.map((open) => `${open.kind} ${(open as { keyword: { id: Uuid } }).keyword.id}`))).toEqual(
          new Set([...now].filter((key) => !before.has(key))),
        )
        const last = items
          .filter(({ resolvedAt }) => resolvedAt === null)
          .map(({ kind, subjectId }) => `${kind} ${subjectId}`)
        expect(last.sort()).toEqual([...now].sort())
        for (const at of dismissed) if (items[at]?.resolvedAt === null) items[at].dismissedAt = AT
        before = now
      }
      for (const item of items)
        expect(attentionStatusOf(item)).toBe(item.dismissedAt ? 'dismissed' : item.resolvedAt ? 'resolved' : 'open')
    }),
  )
})
