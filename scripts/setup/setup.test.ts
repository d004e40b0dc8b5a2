import { spawn } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const REPOSITORY = join(import.meta.dirname, '..', '..')
const folders: string[] = []

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/**
 * A checkout with our set-up, a source file for each program, a builder that writes an empty dashboard, and nothing to
 * install but what bundles, which is there.
 */
function checkout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'earshot set-up-'))
  folders.push(folder)
  for (const path of ['bin', 'scripts/setup', 'scripts/server', 'tsconfig.json'])
    cpSync(join(REPOSITORY, path), join(folder, path), { recursive: true })
  for (const path of [
    'src/main',
    'src/words',
    'src/client',
    'src/classify/offline',
    'web',
    'scripts/web',
    'node_modules',
  ])
    mkdirSync(join(folder, path), { recursive: true })
  for (const name of ['rolldown', '@jridgewell'])
    symlinkSync(join(REPOSITORY, 'node_modules', name), join(folder, 'node_modules', name))
  for (const path of ['main/collect-thread.ts', 'classify/offline/thread.ts', 'client/index.ts'])
    writeFileSync(join(folder, 'src', path), 'export const one = 1\n')
  writeFileSync(
    join(folder, 'package.json'),
    '{ "name": "earshot", "version": "0.0.1", "type": "module", "bin": { "earshot": "bin/earshot.mjs" } }',
  )
  writeFileSync(join(folder, 'package-lock.json'), '{ "packages": { "": {} } }')
  writeFileSync(join(folder, 'src', 'words', 'list.txt'), 'word')
  writeFileSync(join(folder, 'web', 'index.html'), '<!doctype html>')
  writeFileSync(
    join(folder, 'scripts', 'web', 'build.mjs'),
    `import { cpSync } from 'node:fs'\ncpSync('web/index.html', process.argv[2] + '/index.html')\n`,
  )
  says(folder, 'first')
  return folder
}

function says(folder: string, text: string): void {
  writeFileSync(
    join(folder, 'src', 'main', 'cli.ts'),
    `const words: string[] = process.argv.slice(2)\nconsole.log('${text}', ...words)\n`,
  )
}

function earshot(folder: string, ...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [join(folder, 'bin', 'earshot.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { stdout: '', stderr: '' }
  child.stdout.on('data', (text) => (texts.stdout += text))
  child.stderr.on('data', (text) => (texts.stderr += text))
  return new Promise((done) => child.once('close', (code) => done({ code, ...texts })))
}

test('the first run builds and speaks of it on standard error only; the next one just runs', async () => {
  const folder = checkout()
  const first = await earshot(folder, 'keys', 'create')
  expect(first).toMatchObject({ code: 0, stdout: 'first keys create\n' })
  expect(first.stderr).toMatch(/^Building/)
  expect(await earshot(folder)).toEqual({ code: 0, stdout: 'first\n', stderr: '' })
  expect(readlinkSync(join(folder, 'node_modules', '.bin', 'earshot'))).toBe('../../bin/earshot.mjs')
})

test('a changed source is built again, one that was only touched is not', async () => {
  const folder = checkout()
  await earshot(folder)
  utimesSync(join(folder, 'src', 'main', 'cli.ts'), 1, 1)
  expect(await earshot(folder)).toEqual({ code: 0, stdout: 'first\n', stderr: '' })
  says(folder, 'second')
  const built = { code: 0, stdout: 'second\n', stderr: expect.stringMatching(/^Building/) as string }
  expect(await earshot(folder)).toMatchObject(built)
  appendFileSync(join(folder, 'scripts', 'web', 'build.mjs'), '\n')
  expect(await earshot(folder)).toMatchObject(built)
})

test('what is read where it lies needs no building', async () => {
  const folder = checkout()
  await earshot(folder)
  writeFileSync(join(folder, 'src', 'words', 'list.txt'), 'other')
  expect(await earshot(folder)).toEqual({ code: 0, stdout: 'first\n', stderr: '' })
})

test('the licences of bundled packages come with the bundle, or what tells of them', async () => {
  const folder = checkout()
  const bundled = { 'with-file': 'LICENSE.txt', without: 'README.md', 'with-file/lib/node_modules/copied': null }
  for (const [name, licence] of Object.entries(bundled)) {
    const root = join(folder, 'node_modules', name)
    mkdirSync(root, { recursive: true })
    writeFileSync(join(root, 'index.mjs'), `export const name = '${name}'\n`)
    if (licence === null) continue
    const facts = { name, version: '1.2.3', main: './index.mjs' }
    writeFileSync(join(root, 'package.json'), JSON.stringify(facts))
    writeFileSync(join(root, licence), 'as you like')
  }
  const paths = ['with-file', 'without', '../../node_modules/with-file/lib/node_modules/copied/index.mjs']
  const imports = paths.map((path, at) => `import { name as n${at} } from '${path}'\n`).join('')
  writeFileSync(join(folder, 'src', 'main', 'cli.ts'), `${imports}console.log(n0, n1, n2)\n`)
  expect(await earshot(folder)).toMatchObject({ stdout: 'with-file without with-file/lib/node_modules/copied\n' })
  const licences = join(folder, 'dist', 'licences')
  expect(readdirSync(licences).sort()).toEqual(['with-file@1.2.3', 'without@1.2.3'])
  expect(readdirSync(join(licences, 'with-file@1.2.3'))).toEqual(['LICENSE.txt'])
  expect(readdirSync(join(licences, 'without@1.2.3')).sort()).toEqual(['README.md', 'package.json.txt'])
})

test('of two that start at once one builds and both run', async () => {
  const folder = checkout()
  const [first, second] = await Promise.all([earshot(folder, 'one'), earshot(folder, 'other')])
  expect([first.code, first.stdout, second.code, second.stdout]).toEqual([0, 'first one\n', 0, 'first other\n'])
  expect(`${first.stderr}${second.stderr}`.match(/Building \.\.\./g)).toHaveLength(1)
  expect(readdirSync(join(folder, '.earshot'))).toEqual(['setting-up'])
  expect(readdirSync(join(folder, '.earshot', 'setting-up'))).toEqual([])
})

test('sources that cannot be built end with a message and leave nothing half built', async () => {
  const folder = checkout()
  writeFileSync(join(folder, 'src', 'main', 'cli.ts'), 'const = ;\n')
  const run = await earshot(folder)
  expect(run).toMatchObject({ code: 1, stdout: '' })
  expect(run.stderr).toMatch(/cli\.ts[\s\S]+The sources could not be built\.\n$/)
  expect(readdirSync(folder)).not.toContain('dist')
})

test('the remains of a set-up that was killed keep nobody waiting', async () => {
  const folder = checkout()
  mkdirSync(join(folder, '.earshot', 'setting-up'), { recursive: true })
  writeFileSync(join(folder, '.earshot', 'setting-up', `${process.pid}-1`), '')
  mkdirSync(join(folder, '.earshot', 'build-1'))
  expect(await earshot(folder)).toMatchObject({ code: 0, stdout: 'first\n' })
  expect(readdirSync(join(folder, '.earshot'))).toEqual(['setting-up'])
})

const FAILING = `import { createLog } from '../kernel/log.ts'
import { nameSourcesInCrashes } from '../kernel/source-lines.ts'

function fail(): never {
  throw new Error('went wrong', {
    cause: new Error('for a reason'),
  })
}

nameSourcesInCrashes()
try {
  fail()
} catch (err) {
  createLog('info').error({ err }, 'failed')
}
setTimeout(fail)
`

function failing(): string {
  const folder = checkout()
  cpSync(join(REPOSITORY, 'src', 'kernel'), join(folder, 'src', 'kernel'), { recursive: true })
  symlinkSync(join(REPOSITORY, 'node_modules', 'pino'), join(folder, 'node_modules', 'pino'))
  writeFileSync(join(folder, 'src', 'main', 'cli.ts'), FAILING)
  return folder
}

test('errors are told with the lines of the sources, in the log and where one ends the process', async () => {
  const { code, stderr } = await earshot(failing())
  const [logged, ...printed] = stderr.slice(stderr.indexOf('{"level"')).split('\n')
  const { err } = JSON.parse(logged!)
  expect(err.stack.split('\n').slice(0, 2)).toEqual([
    'at fail (src/main/cli.ts:5)',
    expect.stringMatching(/ \(?src\/main\/cli\.ts:12\b/),
  ])
  expect(err.cause.stack).toMatch(/^at fail \(src\/main\/cli\.ts:6\)/)
  expect(code).toBe(1)
  expect(printed.join('\n')).toContain('(src/main/cli.ts:5)')
})

test('an error in a file whose map is missing is told with the lines of the bundle', async () => {
  const folder = failing()
  await earshot(folder)
  rmSync(join(folder, 'dist', 'main', 'cli.js.map'))
  const { stderr } = await earshot(folder)
  const { err } = JSON.parse(stderr.split('\n')[0]!)
  expect(err.stack).toMatch(/^at fail \(file:\/\/\S+\/dist\/main\/cli\.js:\d+:\d+\)/)
})
