import { DAY_MS } from '../../kernel/clock.ts'

/** A forecast below this is a problem. */
export const FEW_DAYS = 14
/** An open item of attention lasts until the forecast reaches this, so that it does not end and open by turns. */
export const ENOUGH_DAYS = 21

/** Shorter growth says nothing: it has a busy hour, or a vacuum. */
const SHORTEST_MS = DAY_MS
const WINDOW_MS = 7 * DAY_MS

export interface SizeSample {
  at: Date
  /** The size of the database. */
  bytes: number
  /** Null where the volume of the database is not known. */
  freeBytes: number | null
}

export interface DiskForecast {
  bytes: number
  /** Mean of up to seven days, never below 0; null for less than a day of samples. */
  bytesPerDay: number | null
  /** Null where the volume of the database is not known. */
  freeBytes: number | null
  /** Whole days until the volume is full at this growth; null when that is not known, or there is no growth. */
  daysLeft: number | null
}

/** `samples` are the earlier sizes, oldest first. */
export function forecastDisk(samples: readonly SizeSample[], now: SizeSample): DiskForecast {
  const { bytes, freeBytes } = now
  const first = samples.find(({ at }) => now.at.getTime() - at.getTime() <= WINDOW_MS)
  const spanMs = first === undefined ? 0 : now.at.getTime() - first.at.getTime()
  const bytesPerDay =
    first === undefined || spanMs < SHORTEST_MS ? null : Math.max(0, ((bytes - first.bytes) / spanMs) * DAY_MS)
  const daysLeft = freeBytes === null || !bytesPerDay ? null : Math.floor(freeBytes / bytesPerDay)
  return { bytes, bytesPerDay, freeBytes, daysLeft }
}
