import { resolve } from 'node:path'
import { z } from 'zod'
import { textWithout, wholeNumber } from '../kernel/setting-forms.ts'
import type { SettingsTable, ValuesOf } from '../kernel/settings.ts'

export interface BackupSettings {
  /** Null without scheduled backups. */
  backups: BackupSchedule | null
  /** Seals the secret key in backups; null leaves it out of scheduled ones. */
  backupPassphrase: string | null
}

export interface BackupSchedule {
  folder: string
  everyHours: number
  /** Older archives of the schedule are removed. */
  kept: number
}

export const BACKUP_SETTINGS = {
  BACKUP_DIR: {
    meaning:
      'The folder for scheduled backups, which no other installation uses; better on another disk. Of several ' +
      'processes that work with it, one makes each backup.',
    form: 'path',
    fallback: 'no scheduled backups',
    schema: z.string(),
  },
  BACKUP_EVERY_HOURS: {
    meaning: 'Hours from one scheduled backup to the next.',
    form: 'whole number from 1 to 8760 (hours)',
    default: '24',
    schema: wholeNumber(1, 8760),
  },
  BACKUP_KEEP: {
    meaning: 'How many scheduled backups are kept in BACKUP_DIR; older ones are removed after each new one.',
    form: 'whole number from 1 to 1000',
    default: '7',
    schema: wholeNumber(1, 1000),
  },
  BACKUP_PASSPHRASE: {
    meaning:
      'The passphrase that seals the secret key in backups. Scheduled backups have the key when it is set; the ' +
      'commands `backup --with-key` and `restore` ask for it when it is not.',
    form: '12 characters or more',
    fallback: 'scheduled backups do not have the secret key',
    secret: true,
    schema: textWithout(passphraseProblem),
  },
} satisfies SettingsTable

export function passphraseProblem(text: string): string | null {
  return [...text].length < 12 ? 'must have 12 or more characters' : null
}

export function backupSettingsOf(
  values: ValuesOf<typeof BACKUP_SETTINGS>,
  { projectDir }: { projectDir: string },
): BackupSettings {
  const { BACKUP_DIR: folder, BACKUP_EVERY_HOURS: everyHours, BACKUP_KEEP: kept } = values
  const backups = folder === undefined ? null : { folder: resolve(projectDir, folder), everyHours, kept }
  return { backups, backupPassphrase: values.BACKUP_PASSPHRASE ?? null }
}
