import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSealingKey } from '../kernel/sealing.ts'
import { StartError } from '../kernel/start-error.ts'

const KEY_BYTES = 32

/**
 * The key for secrets of channels, waiting mails and invitation links: the setting, or a key created on the first start
 * in the data folder, readable by its owner only.
 */
export function sealingKey(set: string | null, dataDir: string): string {
  if (set !== null) return set
  writeKeyFile(dataDir, randomBytes(KEY_BYTES).toString('base64'))
  return readKeyFile(keyFileIn(dataDir))
}

/** Null for an installation without a key. */
export function existingKey(set: string | null, dataDir: string): string | null {
  if (set !== null) return set
  const path = keyFileIn(dataDir)
  return existsSync(path) ? readKeyFile(path) : null
}

/** Leaves a key that is there already as it is, so that two concurrent starts use one key. */
export function writeKeyFile(dataDir: string, key: string): void {
  try {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(keyFileIn(dataDir), `${key}\n`, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST'))
      throw new StartError(
        `DATA_DIR: the folder ${dataDir} cannot be written to (${codeOf(error)}); choose another one or fix its ` +
          'rights.',
      )
  }
}

function keyFileIn(dataDir: string): string {
  return join(dataDir, 'secret.key')
}

function readKeyFile(path: string): string {
  const key = readKeyText(path)
  const read = readSealingKey(key)
  if ('problem' in read)
    throw new StartError(
      `The key in ${path} is damaged: it ${read.problem}. Put the old key back; without it the secrets of ` +
        'channels, waiting mails and links of invitations cannot be read.',
    )
  return key
}

function readKeyText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new StartError(
      `The key in ${path} cannot be read (${codeOf(error)}); run Earshot as the user who created it.`,
    )
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
