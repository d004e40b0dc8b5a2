import { mkdirSync, readlinkSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from './project.mjs'

const TARGET = join('..', '..', 'bin', 'earshot.mjs')

/**
 * Puts `earshot` among the commands of installed packages, so that `npx earshot` in this folder finds it here. npm
 * makes such links for packages that a project depends on, not for the project itself.
 */
export function linkCommand() {
  const folder = join(PROJECT, 'node_modules', '.bin')
  const path = join(folder, 'earshot')
  try {
    mkdirSync(folder, { recursive: true })
    if (process.platform === 'win32') writeFileSync(`${path}.cmd`, `@node "%~dp0\\${TARGET}" %*\r\n`)
    else if (targetOf(path) !== TARGET) relink(path)
  } catch (error) {
    // A convenience only: a folder that cannot be written to still runs, and another process may have been quicker.
    if (!['EACCES', 'EPERM', 'EROFS', 'EEXIST'].includes(error.code)) throw error
  }
}

function relink(path) {
  if (targetOf(path) !== null) unlinkSync(path)
  symlinkSync(TARGET, path)
}

function targetOf(path) {
  try {
    return readlinkSync(path)
  } catch (error) {
    if (error.code === 'ENOENT') return null
    if (error.code === 'EINVAL') return ''
    throw error
  }
}
