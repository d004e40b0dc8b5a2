import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { prepareTools } from './setup/prepare.mjs'
import { say } from './setup/progress.mjs'
import { PROJECT } from './setup/project.mjs'

/** Runs one benchmark: `npm run bench -- NAME [--quick]`. Without a name it lists them. */
async function main() {
  await prepareTools()
  // Benchmarks of memory ask for a collection before they look.
  const args = ['--expose-gc', '--import', 'tsx', join(PROJECT, 'bench', 'driver.ts'), ...process.argv.slice(2)]
  const child = spawn(process.execPath, args, { cwd: PROJECT, stdio: 'inherit' })
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
