import { once } from 'node:events'
import { COMMAND, IS_CHECKOUT } from '../kernel/checkout.ts'
import { systemClock } from '../kernel/clock.ts'
import { type InstallationBeginning, readBeginning } from '../queries/accounts/read-beginning.ts'
import { isForThisMachine } from './open-port.ts'
import { type ProcessRole, serves } from './role.ts'
import { startService } from './service.ts'
import { serviceManagerOf } from './service-manager.ts'

/** Runs the service, or the role's part, until a signal. */
export async function start(role: ProcessRole): Promise<void> {
  const wanted = endOfProcess()
  if (role === 'door') return (await import('./door.ts')).runDoor(wanted)
  const service = await startService(role, wanted).catch((error: unknown) => {
    if (wanted.aborted && error === wanted.reason) return null
    throw error
  })
  if (service === null) return
  const { settings, services } = service.installation
  const manager = serviceManagerOf(process.env, services)
  console.log(
    serves(role)
      ? welcome(
          service.address,
          services.publicUrl,
          await readBeginning(services.db, isForThisMachine(settings)),
          settings.dataDir,
        )
      : partOf(role, service.address),
  )
  await manager.ready(`Running at ${service.address}`)
  if (!wanted.aborted) await once(wanted, 'abort')
  await Promise.all([manager.stopping(), service.stop()])
}

/** Ctrl-C under npm signals the process twice, directly and through npm. */
const ONE_WISH_MS = 1000

/** Aborts on the first signal, during the start too. A later signal exits at once; the next start recovers. */
function endOfProcess(): AbortSignal {
  const wish = new AbortController()
  let askedMs: number | null = null
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const nowMs = systemClock.monotonicMs()
      if (askedMs === null) {
        askedMs = nowMs
        console.error(
          `${signal}: finishing work in flight, which may take ten seconds. Press Ctrl-C again to stop at once.`,
        )
        wish.abort()
      } else if (nowMs - askedMs > ONE_WISH_MS) {
        process.exit(130)
      }
    })
  }
  return wish.signal
}

function partOf(role: ProcessRole, address: string): string {
  return (
    `\nEarshot is running at ${address} with the role ${role}: it answers /v1/health and /metrics there. Ctrl-C ` +
    `ends it.\n`
  )
}

function welcome(address: string, publicUrl: string, beginning: InstallationBeginning, dataDir: string): string {
  const elsewhere = publicUrl === address ? '' : ` (for callers: ${publicUrl})`
  return [
    '',
    `Earshot is running at ${address}${elsewhere}`,
    '',
    `  Create a key:   ${COMMAND} keys create --workspace "My company" --scope write`,
    `  API reference:  ${address}/docs`,
    `  API document:   ${address}/v1/openapi.json`,
    `  Check it:       ${COMMAND} doctor`,
    ...(IS_CHECKOUT ? [] : [`  Data folder:    ${dataDir}`]),
    '',
    ...firstPersonLines(beginning, publicUrl),
    `Continue with the guide at ${address}/guide/get-started. Press Ctrl-C to stop the service.`,
    '',
  ].join('\n')
}

/** Hints for the operator while there is no account. */
function firstPersonLines(beginning: InstallationBeginning, publicUrl: string): string[] {
  if (beginning === 'over') return []
  if (beginning === 'first_come')
    return [`No account exists yet: the first person to sign up at ${publicUrl}/sign-up owns this installation.`, '']
  return [`No account exists yet. Invite the owner of a workspace: ${COMMAND} invite WORKSPACE EMAIL --role owner`, '']
}
