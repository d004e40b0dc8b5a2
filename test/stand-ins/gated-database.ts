import type { Database } from '../../src/store/database.ts'

export interface Gate {
  db: Database
  /** Transactions that store wait from here on, before they begin. */
  close(): void
  open(): void
  /** How many wait. */
  readonly waiting: number
  /** The next so many transactions that store posts fail when their work is done. */
  fail(times: number): void
}

/** A database whose transactions a test holds up, or lets fail. */
export function gated(db: Database): Gate {
  let closed: { opened: Promise<void>; open(): void } | null = null
  let waiting = 0
  let failing = 0
  const made: Gate = {
    db: {
      ...db,
      async transaction(work) {
        if (closed) {
          waiting += 1
          await closed.opened
          waiting -= 1
        }
        const result = await db.transaction(async (tx) => {
          let stores = false
          const run: typeof tx.run = (name, text, values) => {
            stores ||= name === 'ingest-existing'
            return tx.run(name, text, values)
          }
          const done = await work({ ...tx, run })
          // Other stages have transactions of their own, which are none of the test's.
          if (stores && failing > 0) {
            failing -= 1
            throw new Error('the disk is full')
          }
          return done
        })
        return result
      },
    },
    close() {
      let open: () => void = () => undefined
      const opened = new Promise<void>((resolve) => {
        open = resolve
      })
      closed = { opened, open }
    },
    open() {
      closed?.open()
      closed = null
    },
    get waiting() {
      return waiting
    },
    fail(times) {
      failing = times
    },
  }
  return made
}
