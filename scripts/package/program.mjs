import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../setup/project.mjs'
import { addNode, run } from './node.mjs'
import { stageTree } from './tree.mjs'

export const VERSION = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')).version
const PACKAGING = join(PROJECT, 'packaging')

/** Stages what /opt/earshot holds: the tree, Node.js, the command, the unit and the first settings. */
export async function stageProgram(folder) {
  rmSync(folder, { recursive: true, force: true })
  await stageTree(join(folder, 'app'))
  await addNode(join(folder, 'node'))
  for (const name of ['bin', 'share']) mkdirSync(join(folder, name))
  cpSync(join(PACKAGING, 'archive', 'earshot'), join(folder, 'bin', 'earshot'))
  cpSync(join(PACKAGING, 'systemd', 'earshot.service'), join(folder, 'share', 'earshot.service'))
  cpSync(join(PACKAGING, 'earshot.env'), join(folder, 'share', 'earshot.env'))
  cpSync(join(PACKAGING, 'licences'), join(folder, 'share', 'licences'), { recursive: true })
  // Whatever the checkout and the umask allow, all may read, and only the owner may write.
  await run('chmod', ['-R', 'u=rwX,go=rX', folder])
  await run('find', [folder, '-name', '*.so*', '-type', 'f', '-exec', 'chmod', '644', '{}', '+'])
}

/**
 * Packs a program as an archive with one folder; the same program and time give the same bytes. `compression` is the
 * command that compresses: with one thread, because several cut the data into blocks, whose number goes by the machine.
 */
export async function packArchive(program, target, epochSeconds, compression = 'xz -6 -T1') {
  const name = `earshot-${VERSION}-linux-x64`
  const file = join(target, `${name}.tar.xz`)
  const flags = [
    ...['--sort=name', `--mtime=@${epochSeconds}`, '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'],
    ...[`--use-compress-program=${compression}`, `--transform=s,^\\.,${name},`],
  ]
  await run('tar', [...flags, '-cf', file, '-C', program, '.'], 'Archive')
  return file
}
