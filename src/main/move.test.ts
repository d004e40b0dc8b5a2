import { afterAll, expect, test } from 'vitest'
import { earshot, temporaryDataDir } from '../../test/stand-ins/earshot-process.ts'
import { useWorld } from '../../test/use-world.ts'
import { isActive } from '../commands/move/moving.suite.ts'
import { PLATFORMS } from '../domain/platform/platforms.ts'
import { sql } from '../store/database.ts'
import { identityOf } from '../store/move/moves.ts'
import type { Installation } from './installation.ts'
import { adoptKey } from './key-check.ts'

const [ourKey, theirKey] = ['ab'.repeat(32), 'cd'.repeat(32)]
const home = useWorld({ secretKey: ourKey })
const away = useWorld({ secretKey: theirKey })
const data = temporaryDataDir()
afterAll(() => data.remove())

const adopt = ({ services }: typeof home) => adoptKey({ services } as unknown as Installation)

function move(args: readonly string[], more: Record<string, string> = {}) {
  return earshot(['workspace', 'move', ...args], {
    DATABASE_URL: home.connection,
    EARSHOT_SECRET_KEY: ourKey,
    DATA_DIR: data.dataDir,
    SOURCES_OFF: PLATFORMS.join(','),
    ...more,
  }).ended
}

test('earshot workspace move says what stands against it, and cancels', { timeout: 120_000 }, async () => {
  const { orgId, workspaceId } = await home.workspace('Acme')
  const to = ['--to', away.connection]
  const at = ['--at', 'https://away.test']
  const refused = async (args: string[], more?: Record<string, string>) => {
    const { code, stderr } = await move(args, more)
    expect(code).not.toBe(0)
    return stderr
  }
  expect(await refused(['Acme', ...to])).toContain('give either --at or --cancel')
  expect(await refused(['Acme', '--to', home.connection, ...at])).toContain('--to is the database of this cell.')
  expect(await refused(['Acme', ...to, ...at])).toContain('The other cell has never been started.')
  await adopt(home)
  await adopt(away)
  expect(await refused(['Acme', ...to, ...at])).toContain('Give that in MOVE_TO_SECRET_KEY.')
  expect(await refused(['Acme', ...to, ...at], { MOVE_TO_SECRET_KEY: ourKey })).toContain('is not the key of the other')
  expect(await refused(['Nobody', ...to, ...at], { MOVE_TO_SECRET_KEY: theirKey })).toContain('There is no workspace')
  const cancelling = ['Acme', ...to, '--cancel']
  expect(await refused(cancelling, { MOVE_TO_SECRET_KEY: theirKey })).toContain('No move of this workspace has begun.')
  await home.db.query(sql`update workspace set frozen = true where id = ${workspaceId}`)
  await home.db.query(sql`
    insert into moved_workspace (id, name, target, address, state, begun_at)
    select ${workspaceId}, 'Acme', 'elsewhere', 'https://away.test', 'frozen', now()`)
  expect(await refused(cancelling, { MOVE_TO_SECRET_KEY: theirKey })).toContain('began to another database')
  await home.db.query(sql`update moved_workspace set target = ${await identityOf(away.db)}`)
  expect(await move(cancelling, { MOVE_TO_SECRET_KEY: theirKey })).toMatchObject({ code: 0, stdout: `${orgId}\n` })
  expect(await isActive(home, workspaceId)).toBe(true)
})
