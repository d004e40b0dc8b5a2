import { build, isBuilt } from './build.mjs'
import { linkCommand } from './command-link.mjs'
import { withLock } from './lock.mjs'
import { installPackages, missingPackages } from './packages.mjs'
import { endWithParent } from './parent.mjs'
import { say } from './progress.mjs'
import { IS_CHECKOUT } from './project.mjs'

/**
 * Makes sure that the service can run from this folder: packages installed, sources built, command linked. Does nothing
 * (in some tens of milliseconds) when all is in place, and then also works where nothing can be written. Speaks on
 * standard error only.
 */
export async function prepareToRun() {
  const parent = process.ppid
  if (IS_CHECKOUT) await prepareCheckout()
  endWithParent(parent)
}

async function prepareCheckout() {
  if (!readyToRun()) {
    await withLock(async () => {
      if (readyToRun()) return
      if (missingPackages('all').length > 0) await installPackages()
      if (!isBuilt()) await build()
    })
  }
  linkCommand()
}

/** Makes sure that the tools for tests and checks are installed. */
export async function prepareTools() {
  if (missingPackages('all').length > 0) {
    await withLock(async () => {
      const missing = missingPackages('all')
      if (missing.length === 0) return
      const more = missing.length > 3 ? ` and ${missing.length - 3} more packages` : ''
      say(`Missing: ${missing.slice(0, 3).join(', ')}${more}.`)
      await installPackages()
    })
  }
  linkCommand()
}

/** What is built needs only the packages of production; building it needs all. */
function readyToRun() {
  return isBuilt() && missingPackages('production').length === 0
}
