import { sql } from '../../store/database.ts'
import type { Reading } from '../reading.ts'
import { type AlertView, selectAlerts } from './alert-shape.ts'

/** All rules, oldest first. */
export function listAlerts(reading: Reading): Promise<AlertView[]> {
  return selectAlerts(reading, sql`true`)
}
