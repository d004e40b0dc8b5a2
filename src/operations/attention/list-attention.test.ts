import { expect, test } from 'vitest'
import { makeAttentionItem } from '../../../test/rows.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import type { AttentionEvent } from '../../domain/attention/account-events.ts'
import { toId } from '../../kernel/ids.ts'
import { cursorText } from '../../queries/cursor.ts'

const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')

/** Writes an item down, newer than all before. */
async function item(
  kind: AttentionEvent = 'mention.spike',
  state: { resolved?: boolean; dismissed?: boolean } = {},
): Promise<string> {
  const at = world.clock.now()
  const data = kind === 'channel.failing' ? { channel: { label: 'Hooks' }, failures: 6 } : { keyword: { name: 'acme' } }
  return toId('att', await makeAttentionItem(world, acme.workspaceId, { kind, data, at, ...state }))
}

const list = (query = '') => acme.api('GET', `/v1/attention${query}`, undefined, { key: acme.readKey })
const ids = async (query = '') => ((await list(query)).body.data as { id: string }[]).map(({ id }) => id)

test('open items are listed unless others are asked for, the last opened first', async () => {
  const open = await item()
  const resolved = await item('mention.spike', { resolved: true })
  const dismissed = await item('keyword.noisy', { dismissed: true })
  const both = await item('keyword.noisy', { dismissed: true, resolved: true })
  const newest = await item('channel.failing')
  expect(await ids()).toEqual([newest, open])
  expect(await ids('?status=open')).toEqual([newest, open])
  expect(await ids('?status=resolved')).toEqual([resolved])
  expect(await ids('?status=dismissed')).toEqual([both, dismissed])
  expect(await ids('?status=all')).toEqual([newest, both, dismissed, resolved, open])
  expect(await ids('?status=all&kind=keyword.noisy,channel.failing')).toEqual([newest, both, dismissed])
})

test('an item says what it is about and what happened', async () => {
  const id = await item('channel.failing')
  expect((await list()).body).toEqual({
    data: [
      {
        ...{ id, kind: 'channel.failing', status: 'open' },
        subject: { type: 'channel', id: expect.stringMatching(/^dest_/) },
        title: 'The channel “Hooks” accepts no deliveries: the last 6 deliveries failed',
        ...{ openedAt: world.clock.now().toISOString(), resolvedAt: null, dismissedAt: null },
        data: { channel: { label: 'Hooks' }, failures: 6 },
      },
    ],
    nextCursor: null,
  })
})

test('pages follow each other, also when new items open meanwhile', async () => {
  const made: string[] = []
  for (let count = 0; count < 7; count += 1) made.unshift(await item())
  const read: string[] = []
  for (let query = '?limit=3'; ; ) {
    const { body } = await list(query)
    read.push(...body.data.map(({ id }: { id: string }) => id))
    if (body.nextCursor === null) break
    query = `?limit=3&cursor=${body.nextCursor}`
    await item()
  }
  expect(read).toEqual(made)
})

test('a cursor that was made up, of another list or another workspace is refused', async () => {
  const id = stored('att', await item())
  for (const cursor of ['nonsense', cursorText('ledger', id)])
    expect([(await list(`?cursor=${cursor}`)).status]).toEqual([400])
  expect((await list(`?cursor=${cursorText('attention', id)}`)).status).toBe(200)
  const other = await world.workspace('Other')
  expect((await other.api('GET', `/v1/attention?cursor=${cursorText('attention', id)}`)).body.error.code).toBe(
    'not_found',
  )
  expect((await other.api('GET', '/v1/attention?status=all')).body.data).toEqual([])
})

test.each([
  ['?status=gone', /^status: /],
  ['?kind=keyword.capped', /^kind[.0-9[\]]*: /],
  ['?limit=101', /^limit: must be at most 100$/],
  ['?subject=x', /^subject: is not a parameter/],
])('%s is refused by naming the parameter', async (query, message) => {
  const { status, body } = await list(query)
  expect([status, body.error.code]).toEqual([400, 'validation_error'])
  expect(body.error.message).toMatch(message)
})
