import { plus } from '../kernel/clock.ts'
import type { Database } from './database.ts'

export interface JobTurn {
  /** The caller runs the job now. */
  mine: boolean
  /** The next run; after this one if the caller runs it. */
  dueAt: Date
}

/** One of all processes gets a due run. */
export async function takeJobTurn(db: Database, job: string, everyMs: number, at: Date): Promise<JobTurn> {
  const next = plus(at, everyMs)
  const taken = await db.run(
    'take-job-turn',
    `insert into job_turn as t (job, due_at) values ($1, $3)
     on conflict (job) do update set due_at = excluded.due_at where t.due_at <= $2 or t.due_at > excluded.due_at
       returning job`,
    [job, at, next],
  )
  if (taken.length > 0) return { mine: true, dueAt: next }
  const rows = await db.run<{ due_at: Date }>('read-job-turn', 'select due_at from job_turn where job = $1', [job])
  return { mine: false, dueAt: rows[0]?.due_at ?? next }
}
