import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { prepareTools } from './setup/prepare.mjs'
import { say } from './setup/progress.mjs'
import { PROJECT } from './setup/project.mjs'

/**
 * Runs the tests: all of them, or those whose path contains one of the arguments. With `--long` simulations have their
 * full length. Further flags are vitest's own.
 */
async function main() {
  await prepareTools()
  const vitest = join(PROJECT, 'node_modules', 'vitest', 'vitest.mjs')
  const args = process.argv.slice(2)
  const env = args.includes('--long') ? { ...process.env, TEST_LONG: '1' } : process.env
  const options = args.filter((arg) => arg !== '--long')
  const child = spawn(process.execPath, [vitest, 'run', ...options], { cwd: PROJECT, stdio: 'inherit', env })
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
