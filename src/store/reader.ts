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
   * RECURRING_TEXTS texts.
   */
  query<Row>(statement: Statement<Row>, how?: { recurs: boolean }): Promise<Row[]>
  run<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
}

/**
 * Everything that writes takes a transaction. Statements sent without awaiting each other run in order, and after one
 * fails the server refuses the rest: this saves round trips, above all while locks are held.
 */
export interface Transaction extends Reader {
  readonly inTransaction: true
}

export type Ask = (statement: pg.QueryConfig) => Promise<pg.QueryResult>

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
    async query<Row>(statement: Statement<Row>, { recurs } = { recurs: false }) {
      const { sql: text, parameters } = statement.compile(compiler)
      const name = recurs ? recurring?.nameOf(text) : undefined
      return (await ask({ ...(name !== undefined && { name }), text, values: [...parameters] })).rows as Row[]
    },
    async run<Row>(name: string, text: string, values: readonly unknown[]) {
      return (await ask({ ...(recurring !== null && { name }), text, values: [...values] })).rows as Row[]
    },
  }
}
