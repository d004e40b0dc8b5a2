import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { PROJECT } from '../setup/project.mjs'
import { run } from './node.mjs'
import { VERSION } from './program.mjs'

const DEB = join(PROJECT, 'packaging', 'deb')
const SCRIPTS = ['preinst', 'postinst', 'prerm', 'postrm']

/**
 * Packs a program as a package of Debian; the same program and time give the same bytes. The program is moved into
 * `scratch`.
 *
 * @param {{ program: string, scratch: string, target: string, epochSeconds: number, compression: string[] }} options
 *   compression: arguments of dpkg-deb, as in `-Zxz`
 */
export async function packDeb({ program, scratch, target, epochSeconds, compression }) {
  rmSync(scratch, { recursive: true, force: true })
  layOut(program, scratch)
  writeControl(scratch, await installedKilobytes(scratch))
  await run('chmod', ['-R', 'u=rwX,go=rX', scratch])
  for (const name of SCRIPTS) await run('chmod', ['755', join(scratch, 'DEBIAN', name)])
  const file = join(target, `earshot_${VERSION}_amd64.deb`)
  const environment = { ...process.env, SOURCE_DATE_EPOCH: String(epochSeconds) }
  const flags = [...compression, '--threads-max=1', '--root-owner-group', '--build', scratch, file]
  await run('dpkg-deb', flags, 'Package of Debian', environment)
  return file
}

function layOut(program, root) {
  const at = (path) => {
    mkdirSync(join(root, path), { recursive: true })
    return join(root, path)
  }
  renameSync(program, join(at('opt'), 'earshot'))
  symlinkSync('/opt/earshot/bin/earshot', join(at('usr/bin'), 'earshot'))
  const share = join(root, 'opt', 'earshot', 'share')
  cpSync(join(share, 'earshot.service'), join(at('usr/lib/systemd/system'), 'earshot.service'))
  cpSync(join(share, 'earshot.env'), join(at('etc/earshot'), 'earshot.env'))
  cpSync(join(DEB, 'lintian-overrides'), join(at('usr/share/lintian/overrides'), 'earshot'))
  const documents = at('usr/share/doc/earshot')
  cpSync(join(DEB, 'copyright'), join(documents, 'copyright'))
  const changes = readFileSync(join(PROJECT, 'docs', 'changelog.md'))
  writeFileSync(join(documents, 'changelog.gz'), gzipSync(changes, { level: 9 }))
}

async function installedKilobytes(root) {
  return (await run('du', ['-sk', '--apparent-size', root])).split('\t')[0]
}

function writeControl(root, kilobytes) {
  const control = join(root, 'DEBIAN')
  const sums = checksums(root)
  mkdirSync(control)
  for (const name of [...SCRIPTS, 'conffiles']) cpSync(join(DEB, name), join(control, name))
  const text = readFileSync(join(DEB, 'control'), 'utf8')
  const filled = text.replace('@VERSION@', VERSION).replace('@INSTALLED_SIZE@', kilobytes)
  writeFileSync(join(control, 'control'), filled)
  writeFileSync(join(control, 'md5sums'), sums)
}

/** What `dpkg --verify` goes by. */
function checksums(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => `${createHash('md5').update(readFileSync(path)).digest('hex')}  ${relative(root, path)}\n`)
    .join('')
}
