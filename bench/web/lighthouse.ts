import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { BenchRow } from '../contract.ts'
import { median } from '../quantiles.ts'
import type { Stage } from './stage.ts'

/** The last version for Node.js 20; npx fetches it, because nothing else needs it. */
const LIGHTHOUSE = 'lighthouse@12.8.2'
const LONGEST_MS = 180_000
const FLAGS = '--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-background-networking'
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const

type Category = (typeof CATEGORIES)[number]
type Form = 'desktop' | 'phone'

const REPORT = z.object({
  categories: z.record(z.enum(CATEGORIES), z.object({ score: z.number().min(0).max(1) })),
  audits: z.record(z.string(), z.object({ score: z.number().nullable(), numericValue: z.number().optional() })),
})
type Report = z.infer<typeof REPORT>

const MUSTS: Record<Form, Partial<BenchRow>> = { desktop: { must: 95, goal: 99 }, phone: { must: 85, goal: 92 } }
const PAINTS: Record<Form, Partial<BenchRow>> = { desktop: { must: 1, goal: 0.6 }, phone: { must: 2.5, goal: 1.8 } }

/** What Lighthouse says of a page, as the median of several runs with an empty cache. */
export async function lighthouseRows(stage: Stage, path: string, times: number): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const form of ['desktop', 'phone'] as const) {
    const reports: Report[] = []
    for (let time = 0; time < times; time += 1) reports.push(await look(stage, path, form))
    rows.push(...rowsOf(reports, `${path}, ${form}`, form))
  }
  return rows
}

function rowsOf(reports: readonly Report[], of: string, form: Form): BenchRow[] {
  const score = (category: Category) =>
    Math.round(median(reports.map((report) => report.categories[category].score * 100)))
  const audit = (name: string) => median(reports.map(({ audits }) => audits[name]?.numericValue ?? Number.NaN))
  const failed = new Set(
    reports.flatMap(({ audits }) => Object.keys(audits).filter((name) => audits[name]!.score === 0)),
  )
  const perfect = { unit: 'points', must: 100 }
  return [
    {
      measure: `performance of ${of}`,
      value: score('performance'),
      unit: 'points',
      ...MUSTS[form],
      note: [...failed].join(', '),
    },
    { measure: `accessibility of ${of}`, value: score('accessibility'), ...perfect },
    { measure: `best practices of ${of}`, value: score('best-practices'), ...perfect },
    {
      measure: `largest paint of ${of}`,
      value: audit('largest-contentful-paint') / 1000,
      unit: 's',
      better: 'lower',
      ...PAINTS[form],
    },
    {
      measure: `blocked time of ${of}`,
      value: audit('total-blocking-time'),
      unit: 'ms',
      better: 'lower',
      must: 200,
      goal: 100,
    },
    {
      measure: `shift of the layout of ${of}`,
      value: audit('cumulative-layout-shift'),
      unit: '',
      better: 'lower',
      must: 0.02,
      goal: 0,
    },
  ]
}

async function look({ origin, chromium, cookie }: Stage, path: string, form: Form): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-lighthouse-'))
  const [headers, report] = [join(folder, 'headers.json'), join(folder, 'report.json')]
  try {
    writeFileSync(headers, JSON.stringify({ Cookie: `${cookie.name}=${cookie.value}` }), { mode: 0o600 })
    const options = ['--output=json', `--output-path=${report}`, '--quiet', `--extra-headers=${headers}`]
    if (form === 'desktop') options.push('--preset=desktop')
    options.push(`--only-categories=${CATEGORIES.join(',')}`, `--chrome-flags=${FLAGS}`)
    const env = { ...process.env, ...chromium.environment, CHROME_PATH: chromium.executablePath }
    await promisify(execFile)('npx', ['--yes', LIGHTHOUSE, origin + path, ...options], { env, timeout: LONGEST_MS })
    return REPORT.parse(JSON.parse(readFileSync(report, 'utf8')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
