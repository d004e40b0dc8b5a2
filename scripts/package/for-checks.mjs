import { cpSync, renameSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { prepareToRun } from '../setup/prepare.mjs'
import { packDeb } from './deb.mjs'
import { packArchive, stageProgram } from './program.mjs'

/**
 * Makes what `.ci/packaging` checks, hardly compressed: FOLDER/program, the archive, FOLDER/earshot.deb, and
 * FOLDER/frame.deb without Node.js and the application.
 */
const epochSeconds = Math.floor(Date.now() / 1000)
const target = resolve(process.argv[2])
const program = join(target, 'program')
await prepareToRun()
await stageProgram(program)
await packArchive(program, target, epochSeconds, 'xz -0 -T0')
await pack('earshot', () => true)
await pack('frame', (path) => !/^\/(app|node)(\/|$)/.test(path.slice(program.length)))

async function pack(name, isPart) {
  const copy = join(target, 'copy')
  const scratch = join(target, 'scratch')
  cpSync(program, copy, { recursive: true, filter: isPart, verbatimSymlinks: true })
  const options = { program: copy, scratch, target, epochSeconds, compression: name === 'frame' ? [] : ['-Znone'] }
  renameSync(await packDeb(options), join(target, `${name}.deb`))
}
