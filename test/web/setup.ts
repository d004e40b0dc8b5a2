import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { isRunning } from '../../src/store/embedded/processes.ts'
import { serveOnDemand } from '../on-demand.ts'
import { findChromium } from './find-chromium.ts'
import type { Chromium } from './launch.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for the Chromium of this run. */
    chromium: string
    /** Where a test asks for the folder of the built dashboard. */
    webBundle: string
  }
}

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const NONE =
  'Tests in a browser are skipped: no Chromium starts here. Install chromium, or name a program in EARSHOT_CHROMIUM.\n'

/** Folders of runs, followed by the number of the process that runs the tests. */
const OWN = 'earshot-web-'

/**
 * Runs before all tests. The browser is unpacked and the dashboard is built when the first test asks, once for the
 * whole run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scratch = new Scratch()
  const chromium = await serveOnDemand(() => chromiumIn(scratch.folder('chromium')))
  const bundle = await serveOnDemand(() => buildBundle(scratch.folder('bundle')))
  project.provide('chromium', chromium.address)
  project.provide('webBundle', bundle.address)
  return async () => {
    await Promise.all([chromium.close(), bundle.close()])
    scratch.remove()
  }
}

async function chromiumIn(folder: string): Promise<Chromium | null> {
  const found = await findChromium(folder)
  if (found === null) process.stderr.write(NONE)
  return found
}

/** In a process of its own, because this one has the mode of tests, which would build another React. */
async function buildBundle(folder: string): Promise<string> {
  const builder = join('scripts', 'web', 'build.mjs')
  const env = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, [builder, folder], { cwd: PROJECT, env })
  return folder
}

/** Folders for the time of the run, removed at its end. */
class Scratch {
  private readonly made: string[] = []
  private readonly abandon = () => this.remove()

  folder(name: string): string {
    if (this.made.length === 0) {
      removeLeftovers()
      process.once('exit', this.abandon)
    }
    const folder = mkdtempSync(join(tmpdir(), `${OWN}${process.pid}-${name}-`))
    this.made.push(folder)
    return folder
  }

  remove(): void {
    process.off('exit', this.abandon)
    for (const folder of this.made) rmSync(folder, { recursive: true, force: true })
  }
}

/** Removes the folders of runs that were killed. */
function removeLeftovers(): void {
  const names = readdirSync(tmpdir()).filter(
    (name) => name.startsWith(OWN) && !isRunning(Number(name.slice(OWN.length).split('-')[0])),
  )
  for (const name of names) rmSync(join(tmpdir(), name), { recursive: true, force: true })
}
