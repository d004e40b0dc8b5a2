import { prepareToRun } from './setup/prepare.mjs'
import { say } from './setup/progress.mjs'

try {
  await prepareToRun()
} catch (error) {
  if (error.name !== 'SetupError') throw error
  say(error.message)
  process.exitCode = 1
}
