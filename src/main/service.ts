import { setMaxListeners } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { RateLimits } from '../commands/limits/contract.ts'
import { createRateLimits } from '../commands/limits/rate-limits.ts'
import { releaseMails } from '../commands/mail/send-mails.ts'
import { SECOND_MS, systemClock } from '../kernel/clock.ts'
import { createEgress } from '../kernel/egress.ts'
import { collectRuntime } from '../kernel/metrics.ts'
import { VERSION } from '../kernel/version.ts'
import { CATALOGUE } from '../operations/catalogue.ts'
import { getHealthOperation } from '../operations/service/get-health.ts'
import { releaseAllMails } from '../store/channel/email-channels.ts'
import { watchConnections } from '../store/database.ts'
import { releaseAllLeases } from '../store/delivery/release-leases.ts'
import { releaseAllSources } from '../store/source/source-leases.ts'
import { createDocumentFetch } from '../surfaces/oauth/fetch-document.ts'
import { closeRestServer } from '../surfaces/rest/closing.ts'
import { createRestServer } from '../surfaces/rest/server.ts'
import { loadWebBundle, type WebBundle } from '../surfaces/web/bundle.ts'
import { createPictureFetch } from '../surfaces/web/pictures/fetch-picture.ts'
import { startCollecting } from './collecting.ts'
import { startGathering } from './gathering.ts'
import { type Installation, openInstallation, settingsOfProcess } from './installation.ts'
import { checkKey } from './key-check.ts'
import { listenOn, shownAddress } from './listening.ts'
import { createMetrics } from './metrics.ts'
import { isOpenPort } from './open-port.ts'
import type { ServicePart } from './part.ts'
import { checkRole, collects, type ServiceRole, serves, usesKey, works } from './role.ts'
import { signInProvidersOf } from './sign-in-providers.ts'
import { receiveTelegram } from './telegram.ts'
import { startWorking } from './working.ts'

export interface Service {
  installation: Installation
  /** The listening address, for people on this machine. */
  address: string
  /** In order: no new work, work in flight finished, the rest left for the next start. Idempotent. */
  stop(): Promise<void>
}

/** For requests in flight at the stop. */
const CLOSE_WITHIN_MS = 5000
/** Longer than any delivery in flight. */
const END_WITHIN_MS = 12 * SECOND_MS

/**
 * Processes share the server's limit. The API's reads have their own connections, so that they cannot starve sign-in,
 * collecting and deliveries.
 */
const CONNECTIONS: Record<ServiceRole, { work: number; callers: number }> = {
  all: { work: 12, callers: 8 },
  api: { work: 12, callers: 8 },
  collect: { work: 10, callers: 0 },
  work: { work: 16, callers: 0 },
  gather: { work: 4, callers: 0 },
}

/**
 * Resolves when ready. If `wanted` aborts earlier, everything stops in order and the promise rejects with the signal's
 * reason.
 */
export async function startService(role: ServiceRole, wanted: AbortSignal): Promise<Service> {
  const settings = settingsOfProcess()
  checkRole(role, settings)
  const installation = await openInstallation({ service: CONNECTIONS[role] }, settings)
  const metrics = createMetrics()
  collectRuntime(metrics)
  watchConnections(metrics, installation.services.db)
  const parts = new Parts({ role, installation, metrics }, wanted)
  const stop = once(() => parts.stop())
  try {
    parts.ending.throwIfAborted()
    await startParts(role, parts)
  } catch (error) {
    await stop()
    throw error
  }
  return { installation, address: shownAddress(settings), stop }
}

class Parts {
  readonly ending: AbortSignal
  readonly shared: Pick<ServicePart, 'role' | 'installation' | 'metrics'>
  private readonly controller = new AbortController()
  private readonly end: () => void
  private readonly closers: (() => Promise<unknown>)[][] = []

  constructor(shared: Pick<ServicePart, 'role' | 'installation' | 'metrics'>, wanted: AbortSignal) {
    this.shared = shared
    this.ending = this.controller.signal
    // More parts listen than Node.js's warning threshold.
    setMaxListeners(0, this.ending)
    this.end = () => this.controller.abort(wanted.reason)
    if (wanted.aborted) this.end()
    else wanted.addEventListener('abort', this.end, { once: true })
  }

  newPart(): ServicePart {
    const closers: (() => Promise<unknown>)[] = []
    this.closers.push(closers)
    return { ...this.shared, onStop: (close) => void closers.push(close), ending: this.ending }
  }

  async stop(): Promise<void> {
    // No part gets new work while it waits for another.
    this.end()
    const { installation } = this.shared
    const failures: unknown[] = []
    const over = new AbortController()
    const ended = Promise.all(this.closers.map((closers) => closeInOrder(closers, failures))).then(() => over.abort())
    await Promise.race([ended, systemClock.wait(END_WITHIN_MS, over.signal)])
    if (!over.signal.aborted)
      installation.log.warn(
        { event: 'service.stop_cut' },
        'Not everything ended in time; work in flight is cut off and repeated after the next start',
      )
    await installation.close().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
}

async function startParts(role: ServiceRole, parts: Parts): Promise<void> {
  const { installation } = parts.shared
  const { services, settings, log } = installation
  if (installation.alone) await freeEverything(services)
  if (usesKey(role)) await checkKey(installation)
  const working = works(role) ? await startWorking(parts.newPart()) : null
  const serving = parts.newPart()
  const server = makeServer(serving)
  // Listens after the keywords are loaded, so that "running" means that matching works.
  const collecting = collects(role) ? await startCollecting(parts.newPart(), working?.score ?? null) : null
  parts.ending.throwIfAborted()
  await listenOn(server, settings)
  collecting?.begin()
  if (role === 'gather') await startGathering(parts.newPart())
  const receiving = serves(role) ? receiveTelegram(services, parts.ending) : null
  serving.onStop(async () => receiving)
  if (serves(role) && isOpenPort(settings))
    log.warn(
      { event: 'service.address_mismatch', publicUrl: settings.publicUrl, host: settings.host },
      'Other machines may reach this address, but PUBLIC_URL names this machine: set it to the address that people use',
    )
  log.info(
    { event: 'service.started', role, keywords: collecting?.keywords, address: settings.publicUrl },
    'Service started',
  )
}

function makeServer(part: ServicePart): RestServer {
  const { role, installation, metrics, onStop } = part
  const { services, settings, log } = installation
  // Strangers name these addresses, so the operator's exemptions for deliveries do not apply.
  const unexempted = createEgress({ allow: [] })
  const userAgent = `earshot/${VERSION}`
  onStop(() => unexempted.close())
  const server = createRestServer({
    services,
    log,
    limits: startLimits(part),
    catalogue: serves(role) ? CATALOGUE : [getHealthOperation],
    hasDoors: serves(role),
    web: serves(role) && settings.hasDashboard ? dashboardOf(installation) : null,
    fetchPicture: settings.hasPictures
      ? createPictureFetch({ egress: unexempted, clock: systemClock, userAgent })
      : null,
    metrics,
    operatorAddresses: settings.operatorAddresses,
    providers: signInProvidersOf(installation),
    mailReports: settings.mailReports,
    fetchDocument: createDocumentFetch(unexempted, systemClock, userAgent),
    trustedProxies: settings.trustedProxies,
    cellsSecret: settings.cellsSecret,
  })
  onStop(() => closeRestServer(server, systemClock, CLOSE_WITHIN_MS))
  return server
}

/** A process that is alone on its database has nobody to share with. */
function startLimits({ role, installation, metrics, onStop, ending }: ServicePart): RateLimits {
  const limits = createRateLimits({ ...installation.services, metrics })
  if (!serves(role) || installation.alone) return limits
  const sharing = limits.share(ending)
  onStop(() => sharing)
  return limits
}

/** Beside `src`, and within `dist` in an installation. */
const WEB_FOLDER = fileURLToPath(new URL('../../dist/web', import.meta.url))

function dashboardOf({ log }: Installation): WebBundle | null {
  const bundle = loadWebBundle(WEB_FOLDER)
  if (bundle === null)
    log.warn({ event: 'dashboard.missing' }, 'The dashboard is not built; run npm run build and start again')
  return bundle
}

type RestServer = ReturnType<typeof createRestServer>

/** A dead predecessor's leases: nobody else can use the built-in database. */
async function freeEverything({ db, clock }: Installation['services']): Promise<void> {
  await releaseAllLeases(db, clock.now())
  await releaseAllSources(db)
  await releaseMails(db, clock.now())
  await db.transaction(releaseAllMails)
}

async function closeInOrder(closers: readonly (() => Promise<unknown>)[], failures: unknown[]): Promise<void> {
  for (const close of [...closers].reverse()) await close().catch((error: unknown) => failures.push(error))
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null
  return () => {
    done ??= work()
    return done
  }
}
