import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const { judgePackage } = (await import(new URL('judge.mjs', import.meta.url).href)) as {
  judgePackage(tarball: string): Promise<string[]>
}

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A packed package with these files, whose client is what `exports` says. */
function packed(client: object, files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-judge-'))
  folders.push(folder)
  const manifest = {
    name: 'made-up',
    version: '1.0.0',
    type: 'module',
    license: 'MIT',
    exports: { './client': client },
  }
  for (const [path, text] of Object.entries({ 'package.json': JSON.stringify(manifest), ...files })) {
    const file = join(folder, 'package', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  execFileSync('tar', ['-czf', 'packed.tgz', 'package'], { cwd: folder })
  return join(folder, 'packed.tgz')
}

const CLIENT = { types: './client.d.ts', default: './client.js' }
const FILES = {
  'client.js': "export { one } from './one.js'\n",
  'client.d.ts': "export { one } from './one.js'\n",
  'one.js': 'export const one = 1\n',
  'one.d.ts': 'export declare const one: number\n',
}

test('a package of modules with their types has nothing against it', async () => {
  expect(await judgePackage(packed(CLIENT, FILES))).toEqual([])
})

test('types that cannot be found, and files that are not packed, are told', async () => {
  const endings = { ...FILES, 'client.d.ts': "export { one } from './one'\n" }
  expect(await judgePackage(packed(CLIENT, endings))).toEqual([
    expect.stringMatching(/^are-the-types-wrong: InternalResolutionError: .*client\.d\.ts/),
  ])
  const { 'client.js': _, ...without } = FILES
  expect((await judgePackage(packed(CLIENT, without))).join('\n')).toMatch(/^publint: error: .*client\.js/)
  const { 'client.d.ts': __, 'one.d.ts': ___, ...untyped } = FILES
  expect((await judgePackage(packed({ default: './client.js' }, untyped))).at(-1)).toBe(
    'are-the-types-wrong: the package has no types',
  )
})
