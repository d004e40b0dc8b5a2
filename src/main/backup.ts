import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Cli } from '../cli/index.ts'
import { megabytes, numbered } from '../kernel/figures.ts'
import { StartError } from '../kernel/start-error.ts'
import { VERSION } from '../kernel/version.ts'
import { writeBackup } from '../store/backup/write-backup.ts'
import { withDatabase } from './backup-database.ts'
import { sealKey } from './backup-key.ts'
import { newPassphrase } from './backup-passphrase.ts'
import { settingsOfProcess } from './installation.ts'

/** Only the result goes to standard output. */
export async function backup(name: string, { withKey }: { withKey: boolean }, cli: Cli): Promise<void> {
  const { terminal, now } = cli
  const file = resolve(name)
  if (existsSync(file)) throw new StartError(`${file} exists already; choose another name or remove it.`)
  const settings = settingsOfProcess()
  const sealedKey = withKey ? await sealKey(settings, await newPassphrase(settings.backupPassphrase, cli)) : null
  const { signal } = cli
  const done = await withDatabase('command', settings, ({ connection }) =>
    writeBackup({
      ...{ connection, file, signal, version: VERSION, at: now(), sealedKey },
      progress: ({ table, share, bytes }) =>
        terminal.progress(`${Math.floor(share * 100)} %, ${table}, ${megabytes(bytes)} written`),
    }),
  )
  const size = `${numbered(done!.rows, 'row')} of ${numbered(done!.tables, 'table')} in ${megabytes(done!.bytes)}`
  terminal.say(`Wrote ${file}: ${size}.`)
}
