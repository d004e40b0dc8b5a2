import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MINUTE_MS } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { startEmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts'
import { migrateDatabase } from '../../src/store/migrate.ts'
import { createToolWorld } from '../../src/surfaces/mcp/calling.suite.ts'
import { doTask, furnish, TASKS } from '../../src/surfaces/mcp/tasks.suite.ts'
import { databaseOn, sql } from '../../test/database-setup.ts'
import type { BenchRow } from '../contract.ts'

/** What a model reads of the answers when it does every task, with each list of tools. */
export async function taskRows(): Promise<BenchRow[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
  try {
    const rows: BenchRow[] = []
    for (const sees of ['short', 'all'] as const) {
      await sql(postgres.connectionString, `create database tasks_${sees}`)
      const connection = databaseOn(postgres.connectionString, `tasks_${sees}`)
      await migrateDatabase(connection)
      rows.push(await rowOf(sees, connection))
    }
    return rows
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function rowOf(sees: 'short' | 'all', connection: string): Promise<BenchRow> {
  const tools = await createToolWorld({ database: { connection, drop: async () => undefined } })
  try {
    await furnish(tools)
    let [bytes, calls] = [0, 0]
    for (const task of TASKS) {
      await tools.world.clock.advance(MINUTE_MS)
      const done = await doTask(tools, task, sees)
      if (done.problem !== null) throw new Error(`${task.says} ${done.problem}`)
      bytes += done.bytes
      calls += done.calls
    }
    const measure = `answers of ${TASKS.length} tasks with the ${sees === 'short' ? 'short list' : 'list of all tools'}`
    return { measure, value: bytes / 1000, unit: 'kB', better: 'lower', note: `${calls} calls` }
  } finally {
    await tools.world.close()
  }
}
