import { startService } from './service.ts'

/** Runs the service until it is told to end. */
export async function start(): Promise<void> {
  const ended = endOfProcess()
  const service = await startService()
  console.log(welcome(service.address, service.installation.settings.publicUrl))
  const signal = await ended
  console.error(`${signal}: finishing what is in hand; once more ends at once.`)
  await service.stop()
}

/** Resolves with the first signal to end. A second one ends the process where it stands; the next start recovers. */
function endOfProcess(): Promise<string> {
  return new Promise((resolve) => {
    let asked = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(130)
        asked = true
        resolve(signal)
      })
    }
  })
}

function welcome(address: string, publicUrl: string): string {
  const elsewhere = publicUrl === address ? '' : ` (for callers: ${publicUrl})`
  return [
    '',
    `Earshot is running at ${address}${elsewhere}`,
    '',
    '  Get a key:      npx --no earshot keys create --workspace "My company" --scope write',
    `  API reference:  ${address}/docs`,
    `  API document:   ${address}/v1/openapi.json`,
    '  How it fares:   npx --no earshot doctor',
    '',
    'The README goes on from here to the first delivery. Ctrl-C ends the service.',
    '',
  ].join('\n')
}
