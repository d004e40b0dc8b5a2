import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Ended, earshot, temporaryDataDir } from '../../test/stand-ins/earshot-process.ts'
import { freePort } from '../../test/stand-ins/free-port.ts'

const [first, second] = [temporaryDataDir(), temporaryDataDir()]
const folder = mkdtempSync(join(tmpdir(), 'earshot-backups-'))
const file = join(folder, 'earshot.backup')
const PASSPHRASE = { BACKUP_PASSPHRASE: 'words for the key' }

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await Promise.all([first.remove(), second.remove()])
})

function command(dataDir: string, args: readonly string[], more: Record<string, string> = {}): Promise<Ended> {
  return earshot(args, { DATA_DIR: dataDir, EARSHOT_LOG_LEVEL: 'fatal', ...more }).ended
}

const keyOf = (dataDir: string) => readFileSync(join(dataDir, 'secret.key'), 'utf8')

test('a backup beside a running service is restored into a new data folder, and nowhere else', async () => {
  const environment = { DATA_DIR: first.dataDir, EARSHOT_LOG_LEVEL: 'fatal', EARSHOT_HOST: '127.0.0.1' }
  const service = earshot(['start'], { ...environment, PORT: String(await freePort()) })
  await service.says('Earshot is running')
  await command(first.dataDir, ['keys', 'create', '--workspace', 'Acme', '--scope', 'read'])

  const written = await command(first.dataDir, ['backup', file, '--with-key'], PASSPHRASE)
  expect(written).toMatchObject({ code: 0, stderr: '' })
  expect(written.stdout).toMatch(/^Wrote \/.+\/earshot\.backup: \d+ rows of \d+ tables in \d\.\d MB\.\n$/)
  expect(readdirSync(folder)).toEqual(['earshot.backup'])
  expect(statSync(file).mode & 0o077).toBe(0)
  const again = await command(first.dataDir, ['backup', file])
  expect(again).toMatchObject({ code: 1, stderr: `${file} exists already; choose another name or remove it.\n` })
  const beside = await command(first.dataDir, ['restore', file])
  expect(beside).toMatchObject({ code: 1, stdout: '' })
  expect(beside.stderr).toMatch(/^Another Earshot \(process \d+\) already uses the data in /)
  service.signal('SIGTERM')
  await service.ended
  const full = await command(first.dataDir, ['restore', file])
  expect(full).toMatchObject({ code: 1, stdout: '' })
  expect(full.stderr).toMatch(/^This installation is not empty: it has workspaces or accounts\./)

  const refused: [Record<string, string>, RegExp][] = [
    [{}, /^Set BACKUP_PASSPHRASE, or run the command in a terminal\.\n$/],
    [{ BACKUP_PASSPHRASE: 'words for a lock' }, /^The key in the backup does not open with this passphrase\.\n$/],
    [
      { EARSHOT_SECRET_KEY: 'ab'.repeat(32) },
      /this installation has another key\. Set EARSHOT_SECRET_KEY to that key,/,
    ],
  ]
  for (const [more, says] of refused) {
    const { code, stderr } = await command(second.dataDir, ['restore', file], more)
    expect(stderr).toMatch(says)
    expect(code).toBe(1)
  }
  const restored = await command(second.dataDir, ['restore', file], PASSPHRASE)
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  expect(restored.stdout).toMatch(/^Restored \d+ rows of \d+ tables from the backup of \S+, made by Earshot \d/)
  expect(keyOf(second.dataDir)).toBe(keyOf(first.dataDir))
  expect(await command(second.dataDir, ['ledger', 'verify'])).toMatchObject({ code: 0 })
  const found = await command(second.dataDir, ['keys', 'create', '--workspace', 'Acme', '--scope', 'read'])
  expect(found.stderr).toMatch(/^The workspace Acme \(org_\w+\) was found\.\n$/)
}, 240_000)
