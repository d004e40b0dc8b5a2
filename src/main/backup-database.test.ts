import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database-server.ts'
import { databaseOn } from '../../test/database-setup.ts'
import { backUp, onClient } from '../store/backup/archived.suite.ts'
import { withDatabase } from './backup-database.ts'
import type { Settings } from './settings.ts'

test('a database that is missing, lost or read only is named with its reason', async () => {
  const place = await createTestDatabase()
  const file = join(tmpdir(), 'never-written.backup')
  const settings = (databaseUrl: string) => ({ databaseUrl, databaseDirectUrl: null, logLevel: 'silent' }) as Settings
  await expect(
    withDatabase('command', settings(databaseOn(place.connection, 'nowhere')), ({ connection }) =>
      backUp(connection, file),
    ),
  ).rejects.toThrow(/^DATABASE_URL: the database cannot be used: database "nowhere" does not exist\.$/)
  await expect(
    withDatabase('command', settings(place.connection), ({ connection }) =>
      backUp(connection, file, {
        begin: async (client) => {
          await client.query('select pg_terminate_backend(pg_backend_pid())')
          return true
        },
      }),
    ),
  ).rejects.toThrow(/^DATABASE_URL: the database cannot be used: .*connection/i)
  await expect(
    withDatabase('restore', settings(place.connection), ({ connection }) =>
      onClient(connection, (client) => client.query('begin read only; create table t (c int)')),
    ),
  ).rejects.toThrow(/^DATABASE_URL: the database cannot be used: cannot execute CREATE TABLE in a read-only/)
  await place.drop()
})
