import { type Database, type Reader, type Statement, sql, type Transaction } from '../../src/store/database.ts'

/** How an operation comes to grief. `at` counts from 1, over everything that it asks of the database. */
export type Crash =
  /** A statement is never sent. */
  | { kind: 'throws'; at: number }
  /** The server ends the connection of a transaction under the hands of whoever holds it. */
  | { kind: 'dies'; at: number }
  /** Everything was said but the commit. */
  | { kind: 'before a commit'; at: number }
  /** The commit took place, and nobody learns of it. */
  | { kind: 'after a commit'; at: number }

export interface Crashing {
  db: Database
  /** Whether it came so far. */
  happened(): boolean
}

/** The same database, on which things go wrong once. */
export function crashing(db: Database, crash: Crash): Crashing {
  let statements = 0
  let transactions = 0
  let happened = false
  const fail = () => {
    happened = true
    throw new Error(`the process has crashed: ${crash.kind} ${crash.at}`)
  }
  const counting = (reader: Reader, isTransaction: boolean): Reader => {
    const before = async () => {
      statements += 1
      if (statements !== crash.at) return
      if (crash.kind === 'throws') fail()
      if (crash.kind !== 'dies' || !isTransaction) return
      happened = true
      await reader.query(sql`select pg_terminate_backend(pg_backend_pid())`)
    }
    return {
      async query<Row>(statement: Statement<Row>) {
        await before()
        return await reader.query(statement)
      },
      async run<Row>(name: string, text: string, values: readonly unknown[]) {
        await before()
        return await reader.run<Row>(name, text, values)
      },
    }
  }
  return {
    happened: () => happened,
    db: {
      ...db,
      ...counting(db, false),
      async transaction<Result>(work: (tx: Transaction) => Promise<Result>) {
        transactions += 1
        const own = transactions
        const result = await db.transaction(async (tx) => {
          const done = await work({ ...counting(tx, true), inTransaction: true })
          if (crash.kind === 'before a commit' && own === crash.at) fail()
          return done
        })
        if (crash.kind === 'after a commit' && own === crash.at) fail()
        return result
      },
    },
  }
}
