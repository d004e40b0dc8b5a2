import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'
import { type AlertView, selectAlerts } from './alert-shape.ts'

/** One rule, or not_found. */
export async function getAlert(reading: QueryContext, id: Uuid): Promise<AlertView | Refusal<'not_found'>> {
  const [alert] = await selectAlerts(reading, sql`a.id = ${id}`)
  return alert ?? noSuchAlert()
}

export function noSuchAlert(): Refusal<'not_found'> {
  return refuse('not_found', 'There is no alert rule with this id')
}
