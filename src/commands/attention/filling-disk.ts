import { eventDataOf, type Finding } from '../../domain/attention/findings.ts'
import { ENOUGH_DAYS, FEW_DAYS, forecastDisk } from '../../domain/storage/disk-forecast.ts'
import { HOUR_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { firstWorkspace } from '../../store/attention/checks.ts'
import { type LastingItem, renewItem } from '../../store/attention/items.ts'
import type { Transaction } from '../../store/database.ts'
import { readSizes } from '../../store/retention/database-size.ts'

const KIND = 'disk.filling'

/** An older sample says nothing: the job that takes one each hour is off. */
const LATEST_MS = 3 * HOUR_MS

/** The disk is nobody's own, so only the first workspace has the finding. `lasting` are the unresolved items. */
export async function fillingDisk(
  tx: Transaction,
  workspaceIds: readonly Uuid[],
  lasting: readonly LastingItem[],
  at: Date,
): Promise<Finding[]> {
  const workspaceId = await firstWorkspace(tx)
  if (workspaceId === null || !workspaceIds.includes(workspaceId)) return []
  const samples = await readSizes(tx)
  const now = samples.at(-1)
  if (now === undefined || at.getTime() - now.at.getTime() > LATEST_MS) return []
  const { daysLeft, freeBytes, bytesPerDay } = forecastDisk(samples, now)
  const enough = lasting.some(({ kind }) => kind === KIND) ? ENOUGH_DAYS : FEW_DAYS
  if (daysLeft === null || daysLeft >= enough) return []
  return [{ workspaceId, kind: KIND, daysLeft, freeBytes: freeBytes!, bytesPerDay: Math.round(bytesPerDay!) }]
}

/** Writes how many days are left now into an item that is open. */
export async function renewFilling(
  tx: Transaction,
  lasting: readonly LastingItem[],
  [finding]: readonly Finding[],
  publicUrl: string,
): Promise<void> {
  const item = lasting.find(({ kind, workspaceId }) => kind === KIND && workspaceId === finding?.workspaceId)
  if (item !== undefined) await renewItem(tx, item, eventDataOf(finding!, item.id, publicUrl))
}
