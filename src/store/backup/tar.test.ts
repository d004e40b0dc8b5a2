import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { type ArchivedFile, readArchive } from './archive-reader.ts'
import { createArchive } from './archive-writer.ts'
import { AT } from './archived.suite.ts'
import { BLOCK_BYTES, readTarHeader, tarHeader } from './tar.ts'

const folder = mkdtempSync(join(tmpdir(), 'earshot-tar-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Sizes around the blocks of the form, and more files than are compressed at once. */
const FILES = [0, 1, 511, 512, 513, 70_000, 3].map((bytes, at) => ({
  name: `tables/t${at}/000001`,
  content: Buffer.alloc(bytes, `${at} text\n`),
}))

test('an archive is read by tar, and by us as it was written', async () => {
  const file = join(folder, 'whole')
  await createArchive(file, AT, async (archive) => {
    for (const { name, content } of FILES) await archive.add(name, content)
  })
  execFileSync('tar', ['-xf', file, '-C', folder])
  for (const { name, content } of FILES)
    expect(gunzipSync(readFileSync(join(folder, `${name}.gz`))).equals(content)).toBe(true)
  const read = await readArchive(file, async (archive) => {
    const found: ArchivedFile[] = []
    for (let next = await archive.next(); next !== null; next = await archive.next()) found.push(next)
    return found
  })
  expect(read).toEqual(FILES)
})

test('a header with any byte changed is none, or says the same', () => {
  const header = tarHeader({ name: 'manifest.json.gz', size: 1234 }, AT)
  for (let at = 0; at < BLOCK_BYTES; at += 1) {
    const changed = Buffer.from(header)
    changed[at]! ^= 0x01
    expect([null, JSON.stringify({ name: 'manifest.json.gz', size: 1234 })]).toContain(
      readTarHeader(changed) && JSON.stringify(readTarHeader(changed)),
    )
  }
})
