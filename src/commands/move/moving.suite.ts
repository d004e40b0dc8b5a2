import type { World } from '../../../test/world.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Database, sql } from '../../store/database.ts'
import type { Moving } from './cell.ts'

export const AWAY = 'https://away.test'

interface Steps {
  /** Instead of waiting. */
  wait?: (milliseconds: number) => Promise<void>
  tell?: (line: string) => void
  /** Runs before and after every transaction at either end. */
  step?: () => void | Promise<void>
}

/** A move between two worlds, whose clocks go on while it waits. */
export function movingBetween(from: World, to: World, workspaceId: Uuid, steps: Steps = {}): Moving {
  const { step = () => undefined, tell = () => undefined } = steps
  const wait = steps.wait ?? ((milliseconds) => passed([from, to], milliseconds))
  return {
    workspaceId,
    here: { db: stepping(from.db, step), sealer: from.services.sealer },
    there: { db: stepping(to.db, step), sealer: to.services.sealer },
    clock: { ...from.clock, wait },
    metered: true,
    publicUrl: from.services.publicUrl,
    tell,
  }
}

export async function passed(worlds: readonly World[], milliseconds: number): Promise<void> {
  for (const { clock } of worlds) await clock.advance(milliseconds)
}

function stepping(db: Database, step: () => void | Promise<void>): Database {
  return {
    ...db,
    async transaction(work) {
      await step()
      const result = await db.transaction(work)
      await step()
      return result
    },
  }
}

/** Whether a cell works for the workspace. */
export async function isActive({ db }: World, workspaceId: Uuid): Promise<boolean> {
  const rows = await db.query(sql`select from workspace where id = ${workspaceId} and not frozen and not importing`)
  return rows.length > 0
}
