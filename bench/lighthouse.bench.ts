import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BenchOptions, BenchRow } from './contract.ts'
import { buildingRows } from './web/building.ts'
import { lighthouseRows } from './web/lighthouse.ts'
import { raise } from './web/stage.ts'

/** What Lighthouse says of the two pages that people open most, on a workspace of a million mentions. */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-bundle-'))
  try {
    await buildingRows(folder)
    const stage = await raise(folder, quick ? 50_000 : 1_000_000)
    try {
      const rows: BenchRow[] = []
      for (const path of ['/inbox', '/analytics']) rows.push(...(await lighthouseRows(stage, path, quick ? 1 : 3)))
      return rows
    } finally {
      await stage.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
