import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeKeyword, mention } from '../../test/mentions.ts'
import { earshot, temporaryDataDir } from '../../test/stand-ins/earshot-process.ts'
import { useWorld } from '../../test/use-world.ts'
import { PLATFORMS } from '../domain/platform/platforms.ts'

const world = useWorld()
const data = temporaryDataDir()
const folder = mkdtempSync(join(tmpdir(), 'earshot-erase-'))
afterAll(async () => {
  await data.remove()
  rmSync(folder, { recursive: true, force: true })
})

test('earshot erase shows what is held, exports it, asks for a yes, and erases', { timeout: 60_000 }, async () => {
  const keyword = await makeKeyword(await world.workspace('Acme'))
  const author = { id: 'pg', name: 'Paul', handle: 'pg', url: null, avatarUrl: null, followers: null, automated: null }
  await mention(world, keyword, { platform: 'hackernews', author, text: 'Words of one author' })
  const run = (...args: string[]) =>
    earshot(['erase', ...args], {
      DATABASE_URL: world.connection,
      DATA_DIR: data.dataDir,
      SOURCES_OFF: PLATFORMS.join(','),
    }).ended
  const held =
    'Author at hackernews: pg\n1 post, 1 mention in 1 workspace, 0 logged deliveries, 0 entries among people, 0 with notes, tags or a mute\n'
  expect(await run('--dry-run', 'hackernews:pg')).toMatchObject({ code: 0, stdout: `${held}Nothing was changed.\n` })
  const file = join(folder, 'author.jsonl')
  expect(await run('--export', file, 'hackernews:pg')).toMatchObject({ code: 0, stderr: '' })
  expect(readFileSync(file, 'utf8')).toMatch(/^\{"type":"author".*\n\{"type":"post".*Words of one author.*\n$/)
  expect(statSync(file).mode & 0o077).toBe(0)
  expect((await run('--export', file, 'hackernews:pg')).stderr).toContain('exists already')
  expect(await run('hackernews:pg')).toMatchObject({
    code: 2,
    stderr: 'Nothing was changed: give --yes outside a terminal.\n',
  })
  expect(await run('pg')).toMatchObject({ code: 2, stderr: expect.stringContaining('AUTHOR: must name the platform') })
  expect((await run('--yes', 'hackernews:pg')).stdout).toContain('Erased 1 post and 1 mention in 1 workspace.')
  expect((await run('--dry-run', 'hackernews:pg')).stdout).toContain('\n0 posts, ')
  expect(existsSync(file)).toBe(true)
})
