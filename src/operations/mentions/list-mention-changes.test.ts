import { expect, test } from 'vitest'
import { makeKeyword, mention, score } from '../../../test/mentions.ts'
import { createPerson } from '../../../test/people.ts'
import { changeUser } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { HOUR_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { newUuid, toId } from '../../kernel/ids.ts'
import { cursorText } from '../../queries/cursor.ts'
import { sql } from '../../store/database.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

async function scored() {
  const keyword = await makeKeyword(acme)
  const item = await mention(world, keyword)
  await score(world, [item], { relevance: 80, sentiment: 'neutral' })
  return { one: item, keyword, path: `/v1/mentions/${toId('mtn', item.mentionId)}` }
}

test('every change is there with who and when, under the name of then, the last one first', async () => {
  const { path } = await scored()
  const ada = await createPerson(acme, acme.workspaceId, 'owner')
  const first = world.clock.now().toISOString()
  const until = plus(world.clock.now(), HOUR_MS).toISOString()
  await acme.api('PATCH', path, {
    relevant: false,
    sentiment: 'negative',
    note: `${'x'.repeat(300)}`,
    snoozedUntil: until,
  })
  await world.clock.advance(MINUTE_MS)
  await acme.api(
    'PATCH',
    path,
    { status: 'done', assigneeId: toId('user', ada.userId), relevant: false },
    { key: ada.token },
  )
  await changeUser(world, { id: ada.userId }, { name: 'Renamed' })
  const { status, body } = await acme.api('GET', `${path}/changes`, undefined, { key: acme.readKey })
  expect(status).toBe(200)
  expect(body).toEqual({
    data: [
      {
        at: world.clock.now().toISOString(),
        by: { kind: 'person', id: toId('user', ada.userId), name: 'Person who is owner' },
        changes: [
          { field: 'status', from: 'open', to: 'done' },
          { field: 'assignee', from: null, to: toId('user', ada.userId) },
          { field: 'snoozedUntil', from: until, to: null },
        ],
      },
      {
        at: first,
        by: { kind: 'api_key', id: expect.stringMatching(/^key_/), name: 'write' },
        changes: [
          { field: 'snoozedUntil', from: null, to: until },
          { field: 'note', from: null, to: `${'x'.repeat(199)}…` },
          { field: 'relevant', from: null, to: false },
          { field: 'sentiment', from: null, to: 'negative' },
        ],
      },
    ],
    nextCursor: null,
  })
})

test('what changes nothing leaves no line, and what is refused neither', async () => {
  const { path } = await scored()
  await acme.api('PATCH', path, { status: 'open', relevant: null, note: null, assigneeId: null })
  await acme.api('PATCH', path, { status: 'done', snoozedUntil: 1 })
  expect((await acme.api('GET', `${path}/changes`)).body).toEqual({ data: [], nextCursor: null })
})

test('a long history is read page by page, each change once', async () => {
  const { path } = await scored()
  for (let at = 0; at < 5; at += 1) await acme.api('PATCH', path, { note: `${at}` })
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body }: { body: { data: { changes: { to: string }[] }[]; nextCursor: string | null } } = await acme.api(
      'GET',
      `${path}/changes?limit=2${cursor && `&cursor=${cursor}`}`,
    )
    seen.push(...body.data.map(({ changes }) => changes[0]!.to))
    cursor = body.nextCursor
  }
  expect(seen).toEqual(['4', '3', '2', '1', '0'])
})

test('a cursor of another list is refused, and one that is gone or of another mention is not found', async () => {
  const [{ path }, other] = [await scored(), await scored()]
  await acme.api('PATCH', other.path, { note: '1' })
  await acme.api('PATCH', other.path, { note: '2' })
  const { nextCursor } = (await acme.api('GET', `${other.path}/changes?limit=1`)).body
  const answers = async (cursor: string) => (await acme.api('GET', `${path}/changes?cursor=${cursor}`)).body.error.code
  expect(await answers(nextCursor)).toBe('not_found')
  expect(await answers(cursorText('changes', newUuid(world.clock.now())))).toBe('not_found')
  expect(await answers(cursorText('newest', newUuid(world.clock.now())))).toBe('invalid_cursor')
  expect(await answers('garbage')).toBe('invalid_cursor')
})

test('a history goes with its mention', async () => {
  const { path, one, keyword } = await scored()
  await acme.api('PATCH', path, { note: 'x' })
  await acme.api('DELETE', `/v1/keywords/${keyword.shown.id}`)
  expect(await world.db.query(sql`select 1 from mention_change where mention_id = ${one.mentionId}`)).toEqual([])
  expect((await acme.api('GET', `${path}/changes`)).status).toBe(404)
})
