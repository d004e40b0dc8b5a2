import { resolve } from 'node:path'
import { type Cli, cleanLine } from '../cli/index.ts'
import { COMMAND } from '../kernel/checkout.ts'
import { numbered } from '../kernel/figures.ts'
import { createSealer } from '../kernel/sealing.ts'
import { StartError } from '../kernel/start-error.ts'
import { type OpenBackup, readBackup } from '../store/backup/read-backup.ts'
import { type Restored, restoreBackup } from '../store/backup/restore-backup.ts'
import { migrateDatabase } from '../store/migrate.ts'
import { withDatabase } from './backup-database.ts'
import { openKey } from './backup-key.ts'
import { knownPassphrase } from './backup-passphrase.ts'
import { settingsOfProcess } from './installation.ts'
import { opensSample } from './key-check.ts'
import { existingKey, writeKeyFile } from './sealing-key.ts'
import type { Settings } from './settings.ts'

/** `otherKey` restores although this installation cannot open the secrets. */
export function restore(name: string, { otherKey }: { otherKey: boolean }, cli: Cli): Promise<void> {
  const settings = settingsOfProcess()
  return readBackup(resolve(name), async (backup) => {
    const key = otherKey ? null : await keyToBring(backup, settings, cli)
    const { terminal, signal } = cli
    const restored = await withDatabase('restore', settings, async ({ connection }) => {
      const done = await restoreBackup({
        ...{ connection, backup, signal },
        progress: ({ table, share }) => terminal.progress(`${Math.floor(share * 100)} %, ${table}`),
        // A key without a database does no harm, and the next restore finds its own.
        beforeCommit: () => (key === null ? undefined : bringKey(key, settings)),
      })
      // The schema of a backup may be older. What is restored stays if this fails; the next start tries again.
      await migrateDatabase(connection)
      return done
    })
    for (const line of summaryOf(backup, restored)) terminal.say(line)
    if (key !== null) terminal.say(`The secret key of the backup is in ${settings.dataDir}/secret.key now.`)
    if (otherKey) terminal.say(`Run "${COMMAND} adopt-key" next: secrets that the lost key sealed stay closed.`)
  })
}

/** The key that the backup brings along; null when this installation has it already. Throws for another key. */
async function keyToBring({ manifest, sealedKey, archive }: OpenBackup, settings: Settings, cli: Cli) {
  const { secretKey, dataDir, backupPassphrase } = settings
  const { keySample } = manifest
  const key = existingKey(secretKey, dataDir)
  if (key === null && sealedKey !== null) return openKey(sealedKey, await knownPassphrase(backupPassphrase, cli))
  if (keySample === null || (key !== null && opensSample(createSealer(key), keySample))) return null
  const has = key === null ? 'has no key' : 'has another key'
  const instead = sealedKey === null ? '' : ' Without any key here, the one in the backup is used.'
  throw new StartError(
    `The secrets in ${archive.file} are sealed with a key, and this installation ${has}. Set EARSHOT_SECRET_KEY to ` +
      `that key, or put its file at ${dataDir}/secret.key.${instead} If it is lost, restore with --other-key.`,
  )
}

function bringKey(key: string, { secretKey, dataDir }: Settings): void {
  writeKeyFile(dataDir, key)
  if (existingKey(secretKey, dataDir) !== key)
    throw new StartError(`Another command made a key in ${dataDir} meanwhile; restore again.`)
}

function summaryOf({ manifest }: OpenBackup, { tables, rows, skipped }: Restored): string[] {
  const from = `the backup of ${manifest.createdAt}, made by Earshot ${cleanLine(manifest.version)}`
  const foreign = skipped.map(cleanLine).join(', ')
  return [
    `Restored ${numbered(rows, 'row')} of ${numbered(tables, 'table')} from ${from}.`,
    ...(foreign === '' ? [] : [`Left out, because they are no tables of Earshot: ${foreign}.`]),
    `Check it with "${COMMAND} ledger verify" and "${COMMAND} doctor", then start the service.`,
  ]
}
