import { sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'
import { type AlertView, selectAlerts } from './alert-shape.ts'

/** All rules, oldest first. */
export function listAlerts(reading: QueryContext): Promise<AlertView[]> {
  return selectAlerts(reading, sql`true`)
}
