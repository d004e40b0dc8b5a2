import { resolve } from 'node:path'
import { z } from 'zod'
import { canParse } from '../kernel/can-parse.ts'
import { textWithout } from '../kernel/setting-forms.ts'
import type { SettingsTable, ValuesOf } from '../kernel/settings.ts'

export interface StoreSettings {
  dataDir: string
  /** Null with the embedded database. */
  databaseUrl: string | null
}

/** Folders of the installation. `dataDir` stands for the setting that is left out. */
export interface DataPlaces {
  projectDir: string
  dataDir?: string
}

export const STORE_SETTINGS = {
  DATA_DIR: {
    meaning: 'The folder of the embedded database, its log and the keys of this installation.',
    form: 'path',
    fallback: 'data below the project folder; for an installed package the folder for data of the user',
    schema: z.string(),
  },
  DATABASE_URL: {
    meaning: 'An existing PostgreSQL (15 or newer) to use instead of the embedded one.',
    form: 'postgres://user:password@host:port/database',
    fallback: 'the embedded database',
    secret: true,
    schema: textWithout((text) =>
      /^postgres(ql)?:\/\/./.test(text) && canParse(text)
        ? null
        : 'must be an address such as postgres://user:password@host:5432/database',
    ),
  },
} satisfies SettingsTable

export function storeSettingsOf(values: ValuesOf<typeof STORE_SETTINGS>, places: DataPlaces): StoreSettings {
  return {
    dataDir: resolve(places.projectDir, values.DATA_DIR ?? places.dataDir ?? 'data'),
    databaseUrl: values.DATABASE_URL ?? null,
  }
}
