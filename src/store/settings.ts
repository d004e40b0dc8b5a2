import { resolve } from 'node:path'
import { z } from 'zod'
import { canParse } from '../kernel/can-parse.ts'
import { oneOf, textWithout } from '../kernel/setting-forms.ts'
import type { GivenSettings, SettingsTable, ValuesOf } from '../kernel/settings.ts'
import { addressesOf } from './servers.ts'

export interface StoreSettings {
  dataDir: string
  /** Null with the embedded database. */
  databaseUrl: string | null
  /** Past a pooler; null without. */
  databaseDirectUrl: string | null
  /** Null without a standby. */
  databaseReadUrl: string | null
  preparesStatements: boolean
}

/** Folders of the installation. `dataDir` stands for the setting that is left out. */
export interface DataPlaces {
  projectDir: string
  dataDir?: string
}

const databaseAddress = textWithout((text) =>
  /^postgres(ql)?:\/\/./.test(text) && addressesOf(text).every((address) => canParse(address))
    ? sessionProblem(text)
    : 'must be an address such as postgres://user:password@host:5432/database',
)

/** The one parameter of libpq about several hosts that has a meaning here. */
function sessionProblem(text: string): string | null {
  const wanted = /[?&]target_session_attrs=([^&]*)/.exec(text)?.[1]
  return wanted === undefined || wanted === 'read-write' || wanted === 'primary'
    ? null
    : 'may ask by target_session_attrs for read-write or primary only'
}

export const STORE_SETTINGS = {
  DATA_DIR: {
    meaning: 'The folder of the embedded database, its log and the keys of this installation.',
    form: 'path',
    fallback: 'data below the project folder; for an installed package the folder for data of the user',
    schema: z.string(),
  },
  DATABASE_URL: {
    meaning:
      'An existing PostgreSQL (15 or newer) to use instead of the embedded one. With several hosts ' +
      '(`one:5432,two:5432`), the one that takes writes is used.',
    form: 'postgres://user:password@host:port/database',
    fallback: 'the embedded database',
    secret: true,
    schema: databaseAddress,
  },
  DATABASE_DIRECT_URL: {
    meaning:
      'The same database past a pooler that `DATABASE_URL` leads to. Notifications, migrations and backups go there, ' +
      'and `DATABASE_URL` may lead to a pooler in transaction mode.',
    form: 'postgres://user:password@host:port/database',
    fallback: 'everything goes to `DATABASE_URL`',
    secret: true,
    schema: databaseAddress,
  },
  DATABASE_READ_URL: {
    meaning:
      'A streaming standby of the same database, which answers reads of the API, such as lists, analytics and ' +
      'exports, as far as it has all that is committed.',
    form: 'postgres://user:password@host:port/database',
    fallback: 'the database answers all reads',
    secret: true,
    schema: databaseAddress,
  },
  DATABASE_PREPARED: {
    meaning:
      'Whether statements are prepared once a connection. `off` is for a pooler in transaction mode that does not ' +
      'keep prepared statements, such as pgbouncer before 1.21; each statement is then planned again.',
    form: 'on or off',
    default: 'on',
    schema: oneOf(['on', 'off']),
  },
} satisfies SettingsTable

/** Addresses beside the one of the database. */
export function findDatabaseProblems(given: GivenSettings): string[] {
  return ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL']
    .filter((name) => given.has(name) && !given.has('DATABASE_URL'))
    .map((name) => `DATABASE_URL: is missing beside ${name}`)
}

export function storeSettingsOf(values: ValuesOf<typeof STORE_SETTINGS>, places: DataPlaces): StoreSettings {
  return {
    dataDir: resolve(places.projectDir, values.DATA_DIR ?? places.dataDir ?? 'data'),
    databaseUrl: values.DATABASE_URL ?? null,
    databaseDirectUrl: values.DATABASE_DIRECT_URL ?? null,
    databaseReadUrl: values.DATABASE_READ_URL ?? null,
    preparesStatements: values.DATABASE_PREPARED === 'on',
  }
}
