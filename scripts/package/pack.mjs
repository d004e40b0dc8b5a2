import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from '../setup/packages.mjs'
import { SCRATCH } from '../setup/project.mjs'
import { run } from './node.mjs'
import { stagePackage } from './stage.mjs'

/** Makes the tarball for npm, and returns its path. npm gives all files one time and sorts them. */
export async function packPackage(target) {
  mkdirSync(target, { recursive: true })
  const stage = join(SCRATCH, 'package')
  await stagePackage(stage)
  const { file, args } = npm()
  const flags = ['pack', stage, '--pack-destination', target, '--ignore-scripts', '--silent']
  const output = await run(file, [...args, ...flags], 'Packing')
  return join(target, output.split('\n').at(-1))
}
