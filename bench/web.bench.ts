import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BenchOptions, BenchRow } from './contract.ts'
import { buildingRows } from './web/building.ts'
import { loadingRows } from './web/loading.ts'
import { raise } from './web/stage.ts'
import { longListRows, requestRows } from './web/triaging.ts'

/**
 * The dashboard in Chromium, on a workspace of a million mentions: what it weighs, how it comes up, and how it answers
 * keys with as many rows as a tab holds.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-bundle-'))
  try {
    const built = await buildingRows(folder)
    const stage = await raise(folder, quick ? 50_000 : 1_000_000)
    try {
      const loading = await loadingRows(stage, quick ? 2 : 7)
      const list = await longListRows(stage)
      return [...built, ...loading, ...list, ...(await requestRows(stage, quick ? 15 : 60))]
    } finally {
      await stage.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
