import { writeSync } from 'node:fs'
import { silent } from './archived.suite.ts'
import { readBackup } from './read-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

/** A second process for the tests: stands still in the middle of a backup or a restore until it is killed. */
function standStill(): void {
  writeSync(1, 'in the middle\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

const [what, connection = '', file = ''] = process.argv.slice(2)
const options = { ...silent(), connection, progress: standStill }
if (what === 'backup') await writeBackup({ ...options, file, version: '1.2.3', at: new Date(), sealedKey: null })
else await readBackup(file, (backup) => restoreBackup({ ...options, backup, beforeCommit: () => undefined }))
