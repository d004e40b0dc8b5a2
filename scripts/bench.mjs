import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { makeRunFolder, removeOldRunFolders, removeRunFolder } from './bench/run-folder.mjs'
import { prepareTools } from './setup/prepare.mjs'
import { say } from './setup/progress.mjs'
import { PROJECT } from './setup/project.mjs'

/**
 * Runs one benchmark: `npm run bench -- NAME [--quick]`. Without a name it lists them. However it ends, its database
 * servers and files are removed: at the end, or by the next run where this process is killed.
 */
async function main() {
  await prepareTools()
  await removeOldRunFolders()
  const folder = makeRunFolder()
  // Benchmarks of memory ask for a collection before they look.
  const args = ['--expose-gc', '--import', 'tsx', join(PROJECT, 'bench', 'driver.ts'), ...process.argv.slice(2)]
  const env = { ...process.env, TMPDIR: folder }
  const child = spawn(process.execPath, args, { cwd: PROJECT, stdio: 'inherit', env })
  // Ctrl-C reaches the child directly.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  const [code] = await once(child, 'exit')
  process.exitCode = code ?? 1
  await removeRunFolder(folder)
}

main().catch((error) => {
  say(error.name === 'SetupError' ? error.message : error.stack)
  process.exitCode = 1
})
