import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely'
import type pg from 'pg'
import type { RecurringTexts } from './recurring-texts.ts'

export type Statement<Row> = RawBuilder<Row>

/** Runs statements that change nothing. */
export interface Reader {
  /**
   * A statement that `recurs`, with the same text and other values, is prepared once a connection, for at most
   * RECURRING_TEXTS texts. `atPrimary` keeps a read from a standby, which knows no locks and no positions of the log.
   */
  query<Row>(statement: Statement<Row>, how?: { recurs?: boolean; atPrimary?: boolean }): Promise<Row[]>
  run<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
}

/**
 * Everything that writes takes a transaction. Statements sent without awaiting each other run in order, and after one
 * fails the server refuses the rest: this saves round trips, above all while locks are held.
 */
export interface Transaction extends Reader {
  readonly inTransaction: true
}

export type Ask = (statement: Asked) => Promise<pg.QueryResult>

export interface Asked extends pg.QueryConfig {
  atPrimary?: boolean
}

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Without `recurring` no statement has a name, and none is prepared. */
export function readerOn(ask: Ask, recurring: RecurringTexts | null): Reader {
  return {
    async query<Row>(statement: Statement<Row>, { recurs = false, atPrimary = false } = {}) {
      const { sql: text, parameters } = statement.compile(compiler)
      const name = recurs ? recurring?.nameOf(text) : undefined
      const asked = { ...(name !== undefined && { name }), text, values: [...parameters], atPrimary }
      return (await ask(asked)).rows as Row[]
    },
    async run<Row>(name: string, text: string, values: readonly unknown[]) {
      return (await ask({ ...(recurring !== null && { name }), text, values: [...values] })).rows as Row[]
    },
  }
}
