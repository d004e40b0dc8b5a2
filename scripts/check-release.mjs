import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { say } from './setup/progress.mjs'
import { PROJECT } from './setup/project.mjs'

/**
 * The check-list of a release: `npm run check-release [-- FOLDER]` says of each point whether it holds, for the files
 * that `npm run release` made. The last point builds the package a second time, in a clone, and compares the bytes.
 */
const folder = resolve(process.argv[2] ?? 'release')
const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
const { version } = manifest
const TARBALL = `earshot-${version}.tgz`

const POINTS = [
  ['the checkout has no changes that are not committed', () => git('status', '--porcelain') === ''],
  [`the commit has the tag v${version}`, () => git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`)],
  ['the owner has chosen a licence, in package.json', () => manifest.license !== 'UNLICENSED' && !manifest.private],
  ['the lock file has the version of package.json', () => lockVersion() === version],
  ['the files have the version of package.json', hasFiles],
  ['the files are those of SHA256SUMS', hasSums],
  ['a second build of the package gives the same bytes', isReproducible],
]

let missing = 0
for (const [point, holds] of POINTS) {
  const isMet = holds()
  if (!isMet) missing += 1
  say(`${isMet ? 'ok     ' : 'MISSING'} ${point}`)
}
if (missing > 0) process.exitCode = 1

function git(...args) {
  return execFileSync('git', args, { cwd: PROJECT, encoding: 'utf8' }).trim()
}

function lockVersion() {
  return JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')).version
}

function hasFiles() {
  const names = [TARBALL, `earshot-${version}-linux-x64.tar.xz`, `earshot_${version}_amd64.deb`]
  const others = ['install.sh', 'sbom.cdx.json', 'THIRD-PARTY-NOTICES.txt', 'SHA256SUMS']
  return [...names, ...others].every((name) => existsSync(join(folder, name)))
}

function hasSums() {
  const path = join(folder, 'SHA256SUMS')
  if (!existsSync(path)) return false
  const sums = readFileSync(path, 'utf8').trim().split('\n')
  const isRight = (line) => line === `${sumOf(join(folder, line.slice(66)))}  ${line.slice(66)}`
  return sums.length === readdirSync(folder).length - 1 && sums.every(isRight)
}

function sumOf(path) {
  return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : null
}

function isReproducible() {
  const scratch = mkdtempSync(join(tmpdir(), 'earshot-release-'))
  try {
    const clone = join(scratch, 'clone')
    execFileSync('git', ['clone', '--quiet', PROJECT, clone])
    cpSync(join(PROJECT, 'node_modules'), join(clone, 'node_modules'), { recursive: true, verbatimSymlinks: true })
    const stdio = ['ignore', 'ignore', 'inherit']
    execFileSync(process.execPath, [join(clone, 'scripts', 'package.mjs'), scratch], { cwd: clone, stdio })
    return sumOf(join(scratch, TARBALL)) === sumOf(join(folder, TARBALL))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
