import { beforeEach, expect, test } from 'vitest'
import { makeMailChannel } from '../../../test/mail-channel.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { suppress } from '../../store/channel/suppressions.ts'
import { sql } from '../../store/database.ts'

const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
const recipients = (...emails: string[]) => emails.map((email) => ({ email, confirmedAt: null }))
const bounce = (...emails: string[]) => world.db.transaction((tx) => suppress(tx, emails, 'bounce', world.clock.now()))
beforeEach(() => world.db.query(sql`delete from email_suppression`))

test('a suppressed recipient is listed with the reason and the time, in lower case and once', async () => {
  await makeMailChannel(acme, recipients('Gone@Example.com', 'fine@example.com'))
  await makeMailChannel(acme, recipients('gone@example.com'))
  await bounce('gone@example.com')
  const { status, body } = await acme.api('GET', '/v1/suppressions', undefined, { key: acme.readKey })
  expect([status, body]).toEqual([
    200,
    {
      data: [
        {
          id: expect.stringMatching(/^sup_/),
          email: 'gone@example.com',
          reason: 'bounce',
          createdAt: world.clock.now().toISOString(),
        },
      ],
      nextCursor: null,
    },
  ])
})

test('nothing is told of addresses that are no recipients of the workspace', async () => {
  const other = await world.workspace('Other')
  await makeMailChannel(other, recipients('theirs@example.com'))
  await bounce('theirs@example.com', 'nobodys@example.com')
  expect((await acme.api('GET', '/v1/suppressions')).body.data).toEqual([])
  expect((await other.api('GET', '/v1/suppressions')).body.data).toHaveLength(1)
})

test('a page ends at its limit and goes on at its cursor, the newest first, also where many are of one moment', async () => {
  const emails = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.com`)
  await makeMailChannel(acme, recipients(...emails))
  await bounce(...emails.slice(0, 3))
  await world.clock.advance(SECOND_MS)
  await bounce(...emails.slice(3))
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await acme.api('GET', `/v1/suppressions?limit=2${cursor}`)
    seen.push(...body.data.map(({ email }: { email: string }) => email))
    if (body.nextCursor === null) break
    cursor = `&cursor=${body.nextCursor}`
    // What is removed between two pages does not stop the reader.
    await world.db.query(sql`delete from email_suppression where email = ${body.data.at(-1).email}`)
  }
  expect(seen).toEqual(['e', 'd', 'c', 'b', 'a'].map((name) => `${name}@example.com`))
  const { status, body } = await acme.api('GET', '/v1/suppressions?cursor=nonsense')
  expect([status, body.error.code]).toEqual([400, 'invalid_cursor'])
})
