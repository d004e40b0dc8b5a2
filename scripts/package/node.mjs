import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from '../setup/packages.mjs'
import { runStep } from '../setup/progress.mjs'
import { PROJECT, SCRATCH, SetupError } from '../setup/project.mjs'

/** The Node.js that archive, deb and image bring along, and the checksums of its packages. */
export const NODE = JSON.parse(readFileSync(join(PROJECT, 'packaging', 'node.json'), 'utf8'))

/** Unpacks the program and licence of that Node.js into `folder`. npm has it as a package for each system. */
export async function addNode(folder, system = 'linux-x64') {
  const archive = await fetchNode(system)
  mkdirSync(folder, { recursive: true })
  await run('tar', ['-xzf', archive, '-C', folder, '--strip-components=1', 'package/bin/node', 'package/LICENSE'])
}

async function fetchNode(system) {
  const target = join(SCRATCH, 'node')
  const archive = join(target, `node-${system}-${NODE.version}.tgz`)
  mkdirSync(target, { recursive: true })
  if (!existsSync(archive)) {
    const { file, args } = npm()
    const flags = ['pack', `node-${system}@${NODE.version}`, '--pack-destination', target, '--silent']
    await run(file, [...args, ...flags], `Node.js ${NODE.version}`)
  }
  const integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (integrity === NODE[system]) return archive
  rmSync(archive)
  throw new SetupError(`The package of Node.js is not the one that packaging/node.json names: ${integrity}.`)
}

/** Runs a program to its end and returns what it printed; a title shows that time goes by. */
export async function run(file, args, title = null, env = process.env) {
  const { code, output } = await runStep(title, file, args, env)
  if (code !== 0) throw new SetupError(`${output}\n${file} ended with ${code}.`)
  return output
}
