import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { writes } from './authors.suite.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

const exported = async (query = '', workspace = acme) => {
  await world.clock.advance(MINUTE_MS)
  return workspace.api('GET', `/v1/people/export.csv${query}`)
}
const HEAD =
  'id,platform,name,handle,url,accounts,followers,mentions,relevant,positive,neutral,negative,first_seen_at,last_seen_at,tags,notes,muted\r\n'

test('an export of nobody has the names of the columns', async () => {
  const { status, headers, body } = await exported('', await world.workspace('Empty'))
  expect([status, headers.get('content-type'), headers.get('x-people-truncated'), body]).toEqual([
    200,
    expect.stringMatching(/^text\/csv/),
    null,
    HEAD,
  ])
})

test('names that are formulas, quotes and breaks stay texts in one cell', async () => {
  const id = await writes(world, acme, 'evil', {
    author: { name: '=HYPERLINK("https://evil.example","a")', handle: '@cmd', followers: 3 },
  })
  await acme.api('PATCH', `/v1/people/${id}`, { tags: ['+1', 'b'], notes: 'a "quote",\nand a line' })
  const at = world.clock.now().toISOString()
  const { body } = await exported('?q=hyperlink')
  expect(body).toBe(
    `${HEAD}${id},bluesky,"'=HYPERLINK(""https://evil.example"",""a"")",'@cmd,,bluesky:@cmd,3,1,1,0,1,0,${at},${at},'+1|b,"a ""quote"",\nand a line",false\r\n`,
  )
})

test('the filters and the order are those of the list, and others are refused', async () => {
  await writes(world, acme, 'much', { mentions: 3 })
  const { body } = await exported('?minMentions=2')
  expect(body.split('\r\n').map((line: string) => line.split(',')[2])).toEqual(['name', 'much', undefined])
  expect((await exported('?limit=1')).body.error.message).toBe('limit: is not a parameter of this operation')
  expect((await exported('?segmentId=seg_01kg3w5z0yf8hbt2m7q4n9xc6d')).status).toBe(404)
})

test('at most 5,000 people come, and the head says when there were more', async () => {
  const big = await world.workspace('Big')
  const fill = (from: number, to: number) =>
    world.db.query(sql`
      with made as (insert into account (workspace_id, id, person_id, platform, name, mentions)
        select ${big.workspaceId}, ('00000000-0000-8000-8000-' || lpad(n::text, 12, '0'))::uuid,
          ('00000000-0000-8000-8000-' || lpad(n::text, 12, '0'))::uuid, 0, 'p' || n, n
        from generate_series(${from}::int, ${to}::int) n returning id, mentions)
      insert into person (workspace_id, id, mentions) select ${big.workspaceId}, id, mentions from made`)
  await fill(1, 5000)
  const whole = await exported('', big)
  expect([whole.headers.get('x-people-truncated'), whole.body.split('\r\n').length]).toEqual([null, 5002])
  await fill(5001, 5001)
  const cut = await exported('', big)
  expect([
    cut.headers.get('x-people-truncated'),
    cut.body.split('\r\n').length,
    cut.body.split('\r\n')[1].includes('p5001'),
  ]).toEqual(['true', 5002, true])
})

test('six exports a minute are granted', async () => {
  const workspace = await world.workspace('Hasty')
  await world.clock.advance(MINUTE_MS)
  for (let at = 0; at < 6; at += 1) expect((await workspace.api('GET', '/v1/people/export.csv')).status).toBe(200)
  expect((await workspace.api('GET', '/v1/people/export.csv')).body.error.code).toBe('rate_limited')
})
