import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createEmptyDatabase } from '../../test/database-server.ts'
import { sql } from '../../test/database-setup.ts'
import { hashOf, newSecret } from '../kernel/secrets.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
const ID = '01900000-0000-7000-8000-00000000abcd'

test('of the address that a feed had, the hash stays and the token goes', async () => {
  const place = await createEmptyDatabase()
  const run = (statement: string) => sql<Record<string, string>>(place.connection, statement)
  try {
    const names = readdirSync(FOLDER)
      .filter((name) => name.endsWith('.sql'))
      .sort()
    for (const name of names.filter((one) => one < '0045')) await run(readFileSync(join(FOLDER, name), 'utf8'))
    const { text } = newSecret('efd')
    await run(`insert into workspace (id, name, created_at, settled_through) values ('${ID}', 'Acme', now(), now())`)
    await run(`insert into saved_view (workspace_id, id, name, name_folded, filter, feed_token, created_at, updated_at)
      values ('${ID}', '${ID}', 'V', 'v', '{}', '${text}', now(), now())`)
    await run(readFileSync(join(FOLDER, names.find((name) => name.startsWith('0045'))!), 'utf8'))
    const [row] = await run(`select feed_version, encode(feed_hash, 'hex') as hash, v::text as whole from saved_view v`)
    expect([row!['feed_version'], row!['hash'], row!['whole']!.includes(text)]).toEqual([
      1,
      hashOf(text).toString('hex'),
      false,
    ])
  } finally {
    await place.drop()
  }
})
