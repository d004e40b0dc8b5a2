import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readBundleSizes } from '../../test/web/bundle-sizes.ts'
import type { BenchRow } from '../contract.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
/** Prints the most memory that the process had, in KiB, as its last line. */
const SAY_MEMORY = "data:text/javascript,process.on('exit',()=>console.log(process.resourceUsage().maxRSS))"

const lower = { better: 'lower' } as const

/** Builds the dashboard into the folder, and measures that and what comes of it. */
export async function buildingRows(folder: string): Promise<BenchRow[]> {
  const begunMs = performance.now()
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', SAY_MEMORY, join('scripts', 'web', 'build.mjs'), folder],
    { cwd: PROJECT, env: { ...process.env, NODE_ENV: 'production' } },
  )
  const tookMs = performance.now() - begunMs
  const memoryKib = Number(stdout.trim().split('\n').at(-1))
  return [
    { measure: 'build', value: tookMs / 1000, unit: 's', must: 8, goal: 3, ...lower },
    { measure: 'memory of the build', value: memoryKib / 1024, unit: 'MB', must: 512, goal: 300, ...lower },
    ...sizeRows(folder),
  ]
}

function sizeRows(folder: string): BenchRow[] {
  const sizes = readBundleSizes(folder, 'en')
  const kilo = (bytes: number) => ({ value: bytes / 1000, unit: 'kB', ...lower })
  return [
    { measure: 'scripts of the inbox before first use, gzip', ...kilo(sizes.inboxScripts), must: 150, goal: 135 },
    { measure: 'styles of the inbox, gzip', ...kilo(sizes.inboxStyles), must: 20, goal: 12 },
    { measure: 'floating parts, gzip', ...kilo(sizes.floating), must: 75, goal: 65 },
    { measure: 'largest other chunk, gzip', ...kilo(Math.max(...sizes.others.values())), must: 45, goal: 30 },
    { measure: 'all scripts, gzip', ...kilo(sizes.allScripts), must: 360, goal: 300 },
  ]
}
