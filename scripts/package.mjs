import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stagePackage } from './package/stage.mjs'
import { npm } from './setup/packages.mjs'
import { prepareTools, prepareToRun } from './setup/prepare.mjs'
import { runStep, say } from './setup/progress.mjs'
import { SCRATCH, SetupError } from './setup/project.mjs'

/** Makes the package: `npm run package [-- FOLDER]`. The last line is the path of the tarball. */
async function main() {
  await prepareTools()
  await prepareToRun()
  const target = resolve(process.argv[2] ?? '.')
  mkdirSync(target, { recursive: true })
  const stage = join(SCRATCH, 'package')
  await stagePackage(stage)
  const { file, args } = npm()
  const packed = await runStep('Packing', file, [
    ...args,
    'pack',
    stage,
    '--pack-destination',
    target,
    '--ignore-scripts',
    '--silent',
  ])
  if (packed.code !== 0) throw new SetupError(`${packed.output}\nThe package could not be packed.`)
  process.stdout.write(`${join(target, packed.output.split('\n').at(-1))}\n`)
}

main().catch((error) => {
  say(error.name === 'SetupError' ? error.message : error.stack)
  process.exitCode = 1
})
