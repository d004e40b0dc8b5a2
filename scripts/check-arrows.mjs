import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { folderCircles } from './arrows/folder-circles.mjs'
import { prepareTools } from './setup/prepare.mjs'
import { say } from './setup/progress.mjs'
import { PROJECT } from './setup/project.mjs'

/**
 * Checks the import rules, the rule against circles of folders and the rule of the one clock on the sources, then on a
 * small tree in which every rule is broken on purpose: a checker that sees nothing wrong there is blind, and that fails
 * too.
 */
const CONFIG = join(PROJECT, '.dependency-cruiser.cjs')
const SEEDED = join(PROJECT, 'test', 'arrows-fixture')
const CLOCK = 'src/kernel/clock.ts'
const WALL_CLOCK = /\b(Date\.now|performance\.now)\(|\bnew Date\(\s*\)/
const CLOCK_RULE = 'one-clock'
const CIRCLE_RULE = 'no-folder-circles'
const TESTS = /\.(test|suite)\.ts$/

async function main() {
  await prepareTools()
  // The client imports types that are generated, and what it imports must be there.
  const { writeApiTypes } = await import('./web/api-types.mjs')
  await writeApiTypes()
  const found = await violations(PROJECT)
  for (const { rule, from, to } of found) console.log(`${rule}: ${from}${to ? ` -> ${to}` : ''}`)
  const wrong = await mistakes()
  for (const line of wrong) console.log(`checker: ${line}`)
  console.log(`arrows: ${found.length} violations, ${wrong.length} mistakes on the seeded tree`)
  if (found.length + wrong.length > 0) process.exitCode = 1
}

/** Every seeded file says in its first line which rule it breaks, and breaks no other; every rule is broken by one. */
async function mistakes() {
  const seen = new Set((await violations(SEEDED)).map(nameOf))
  const seeds = filesBelow(SEEDED).flatMap((path) => {
    const rules = /^\/\/ breaks: (.+)/.exec(readFileSync(path, 'utf8'))?.[1]?.split(', ') ?? []
    return rules.map((rule) => ({ rule, from: relative(SEEDED, path) }))
  })
  const rules = [...createRequire(import.meta.url)(CONFIG).forbidden.map(({ name }) => name), CIRCLE_RULE, CLOCK_RULE]
  const announced = new Set(seeds.map(nameOf))
  return [
    ...[...announced].filter((seed) => !seen.has(seed)).map((seed) => `${seed} was not seen`),
    ...[...seen].filter((alarm) => !announced.has(alarm)).map((alarm) => `${alarm} is a false alarm`),
    ...rules
      .filter((name) => !seeds.some(({ rule }) => rule === name))
      .map((name) => `${name} is broken by no seeded file`),
  ]
}

function nameOf({ rule, from }) {
  return `${rule} in ${from}`
}

async function violations(folder) {
  return [...(await cruise(folder)), ...clockReaders(folder)]
}

/** The rules read paths from `folder`, so the checker runs inside it. */
async function cruise(folder) {
  const program = join(PROJECT, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs')
  const output = await run(
    process.execPath,
    [program, '--config', CONFIG, '--output-type', 'json', 'src', 'web/src'],
    folder,
  )
  const { summary, modules } = JSON.parse(output)
  if (summary.totalCruised === 0) throw new Error(`no file was checked in ${folder}`)
  const imports = modules.flatMap(({ source, dependencies }) =>
    TESTS.test(source) ? [] : dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
  )
  const circles = folderCircles(imports, 'src/').map((one) => ({ rule: CIRCLE_RULE, ...one }))
  return [...summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })), ...circles]
}

function clockReaders(folder) {
  return filesBelow(join(folder, 'src'))
    .filter((path) => path.endsWith('.ts') && !TESTS.test(path) && relative(folder, path) !== CLOCK)
    .flatMap((path) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .flatMap((line, at) =>
          WALL_CLOCK.test(line) ? [{ rule: CLOCK_RULE, from: relative(folder, path), to: `line ${at + 1}` }] : [],
        ),
    )
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** The checker's exit code counts violations, so only an unreadable answer is a failure here. */
function run(file, args, cwd) {
  return new Promise((done, fail) => {
    execFile(file, args, { cwd, maxBuffer: 256 * 1024 * 1024, timeout: 120_000 }, (error, stdout, stderr) =>
      stdout ? done(stdout) : fail(error ?? new Error(stderr)),
    )
  })
}

main().catch((error) => {
  say(error.name === 'SetupError' ? error.message : error.stack)
  process.exitCode = 1
})
