import { type DiskForecast, FEW_DAYS } from '../domain/storage/disk-forecast.ts'
import type { Retention } from '../domain/workspace/retention.ts'
import { megabytes, numbered } from '../kernel/figures.ts'

/** For the doctor: how long things are kept, and how long the disk lasts. */
export function storageReport(
  { mentionDays, deliveryDays }: Retention,
  { bytes, bytesPerDay, freeBytes, daysLeft }: DiskForecast,
): { rows: string[][]; wrong: string[] } {
  const growth = bytesPerDay === null ? 'not known before a day of samples' : `${megabytes(bytesPerDay)} a day`
  return {
    rows: [
      ['mentions are kept', mentionDays === null ? 'for good: MENTIONS_KEPT_DAYS is not set' : `${mentionDays} days`],
      ['deliveries are kept', `${deliveryDays} days`],
      ['size', megabytes(bytes)],
      ['growth', growth],
      ['free on its disk', freeBytes === null ? 'not known: the server is not ours' : megabytes(freeBytes)],
      ['days left', daysLeft === null ? '-' : String(daysLeft)],
    ],
    wrong:
      daysLeft === null || daysLeft >= FEW_DAYS
        ? []
        : [
            `The disk of the database is full in ${numbered(daysLeft, 'day')} at the present growth. ` +
              'Add space, or set MENTIONS_KEPT_DAYS.',
          ],
  }
}
