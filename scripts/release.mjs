import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { billOfMaterials } from './package/bill.mjs'
import { packDeb } from './package/deb.mjs'
import { thirdPartyNotices } from './package/notices.mjs'
import { packPackage } from './package/pack.mjs'
import { packArchive, stageProgram } from './package/program.mjs'
import { prepareTools, prepareToRun } from './setup/prepare.mjs'
import { say } from './setup/progress.mjs'
import { PROJECT, SCRATCH, SetupError } from './setup/project.mjs'

/**
 * Makes all files of a release: `npm run release [-- FOLDER]`. The same commit gives the same bytes. On Linux x64 with
 * tar, xz and dpkg-deb.
 */
async function main() {
  if (`${process.platform}-${process.arch}` !== 'linux-x64')
    throw new SetupError('Releases are made on Linux x64, because archive and deb hold what npm installs there.')
  await prepareTools()
  await prepareToRun()
  const target = resolve(process.argv[2] ?? 'release')
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const epochSeconds = Number(process.env.SOURCE_DATE_EPOCH ?? timeOfCommit())
  await packPackage(target)
  const program = join(SCRATCH, 'program')
  await stageProgram(program)
  await packArchive(program, target, epochSeconds)
  await packDeb({ program, scratch: join(SCRATCH, 'deb'), target, epochSeconds, compression: ['-Zxz', '-z6'] })
  cpSync(join(PROJECT, 'packaging', 'archive', 'install.sh'), join(target, 'install.sh'))
  writeFileSync(join(target, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices())
  writeFileSync(join(target, 'sbom.cdx.json'), billOfMaterials(epochSeconds))
  writeFileSync(join(target, 'SHA256SUMS'), checksums(target))
  process.stdout.write(readFileSync(join(target, 'SHA256SUMS')))
}

function timeOfCommit() {
  return execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: PROJECT, encoding: 'utf8' }).trim()
}

function checksums(folder) {
  const sum = (name) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  return readdirSync(folder)
    .sort()
    .map((name) => `${sum(name)}  ${name}\n`)
    .join('')
}

main().catch((error) => {
  say(error.name === 'SetupError' ? error.message : error.stack)
  process.exitCode = 1
})
