import { resolve } from 'node:path'
import { packPackage } from './package/pack.mjs'
import { prepareTools, prepareToRun } from './setup/prepare.mjs'
import { say } from './setup/progress.mjs'

/** Makes the package: `npm run package [-- FOLDER]`. The last line is the path of the tarball. */
async function main() {
  await prepareTools()
  await prepareToRun()
  process.stdout.write(`${await packPackage(resolve(process.argv[2] ?? '.'))}\n`)
}

main().catch((error) => {
  say(error.name === 'SetupError' ? error.message : error.stack)
  process.exitCode = 1
})
