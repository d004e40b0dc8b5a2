import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { prepareTools } from './setup/prepare.mjs'
import { say } from './setup/progress.mjs'
import { PROJECT } from './setup/project.mjs'

/** Runs the tests: all of them, or those whose path contains one of the arguments. Further flags are vitest's own. */
async function main() {
  await prepareTools()
  const vitest = join(PROJECT, 'node_modules', 'vitest', 'vitest.mjs')
  const child = spawn(process.execPath, [vitest, 'run', ...process.argv.slice(2)], { cwd: PROJECT, stdio: 'inherit' })
  // Ctrl-C reaches vitest directly; we only wait until it has cleaned up.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.once('close', (code) => {
    process.exitCode = code ?? 1
  })
}

main().catch((error) => {
  say(error.name === 'SetupError' ? error.message : error.stack)
  process.exitCode = 1
})
