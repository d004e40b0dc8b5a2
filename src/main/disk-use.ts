import { statfs } from 'node:fs/promises'
import { type DiskForecast, FEW_DAYS, forecastDisk, type SizeSample } from '../domain/storage/disk-forecast.ts'
import type { Job } from '../jobs/schedule.ts'
import { type Clock, HOUR_MS } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Database } from '../store/database.ts'
import { findDataFolder, homeOf } from '../store/embedded/folder.ts'
import { noteDatabaseSize, readDatabaseBytes, readSizes } from '../store/retention/database-size.ts'
import type { DiskMetrics } from './disk-metrics.ts'

export interface DiskPlaces {
  dataDir: string
  /** Null with the embedded database, the only one whose volume this machine sees. */
  databaseUrl: string | null
}

interface Looking {
  db: Database
  clock: Clock
}

export async function readDiskForecast(places: DiskPlaces, looking: Looking): Promise<DiskForecast> {
  return forecastDisk(await readSizes(looking.db), await sizeNow(places, looking))
}

async function sizeNow({ dataDir, databaseUrl }: DiskPlaces, { db, clock }: Looking): Promise<SizeSample> {
  const freeBytes = databaseUrl === null ? await freeBytesOf(homeOf(findDataFolder(dataDir))) : null
  return { at: clock.now(), bytes: await readDatabaseBytes(db), freeBytes }
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Notes the size of the database, and warns before its volume is full. */
export function diskJob(places: DiskPlaces, { log, metrics }: { log: Log; metrics: DiskMetrics }): Job {
  return {
    name: 'watch-disk',
    everyMs: HOUR_MS,
    async run({ db, clock }) {
      const now = await sizeNow(places, { db, clock })
      const { bytes, freeBytes, bytesPerDay, daysLeft } = forecastDisk(await readSizes(db), now)
      await db.transaction((tx) => noteDatabaseSize(tx, now))
      metrics.databaseBytes.set(bytes)
      if (freeBytes !== null) metrics.diskFreeBytes.set(freeBytes)
      if (daysLeft !== null && daysLeft < FEW_DAYS)
        log.warn(
          { event: 'disk.filling', daysLeft, freeBytes, bytesPerDay: Math.round(bytesPerDay!) },
          'The disk of the database is full within two weeks at the present growth',
        )
    },
  }
}
