import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { saveWhole } from './save.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-save-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a pipe is written and stays a pipe', async () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const [text] = await Promise.all([readFile(pipe, 'utf8'), saveWhole(pipe, 'whole')])
  expect([text, statSync(pipe).isFIFO()]).toEqual(['whole', true])
})

test('a file of another name that ends in .part stays as it is', async () => {
  const file = join(folder, 'mentions.csv')
  writeFileSync(`${file}.part`, 'of somebody')
  await saveWhole(file, 'whole')
  expect(readFileSync(file, 'utf8')).toBe('whole')
  expect(readFileSync(`${file}.part`, 'utf8')).toBe('of somebody')
  expect(readdirSync(folder).filter((name) => name.startsWith('mentions'))).toHaveLength(2)
})
