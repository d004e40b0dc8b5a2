import { createClassifier } from '../classify/registry.ts'
import { runJobs } from '../jobs/run-jobs.ts'
import { SCHEDULE } from '../jobs/schedule.ts'
import { collectRuntime, createMetrics } from '../kernel/metrics.ts'
import { StartError } from '../kernel/start-error.ts'
import { collect } from '../pipeline/collect.ts'
import { createDeliverStage } from '../pipeline/deliver.ts'
import { createScoreStage } from '../pipeline/score.ts'
import { openWatch } from '../pipeline/watch.ts'
import { createCollectContext } from '../sources/collect-context.ts'
import { createSources } from '../sources/registry.ts'
import { releaseAllLeases } from '../store/deliveries.ts'
import type { NewMention } from '../store/ingest.ts'
import { registerSources } from '../store/source-state.ts'
import { closeRestServer, createRestServer } from '../surfaces/rest/server.ts'
import { type Installation, openInstallation, settingsOfProcess } from './installation.ts'

export interface Service {
  installation: Installation
  /** The address that the service listens on, for people on this machine. */
  address: string
  /** Ends in order: no new work, work in hand finished, everything else left for the next start. Idempotent. */
  stop(): Promise<void>
}

/** How long requests in flight may take to end once the service stops. */
const CLOSE_WITHIN_MS = 5000

/** Starts everything in this process and resolves when it serves and collects. */
export async function startService(): Promise<Service> {
  const settings = settingsOfProcess()
  const installation = await openInstallation('service', settings)
  const { services, log } = installation
  const { db, clock } = services
  const metrics = createMetrics()
  collectRuntime(metrics)
  const ending = new AbortController()
  const closers: (() => Promise<unknown>)[] = [() => installation.close()]
  const stop = once(async () => {
    ending.abort()
    // One that fails to close must not keep the others, the database last of all, from closing.
    const failures: unknown[] = []
    for (const close of closers.reverse()) await close().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  })
  try {
    if (installation.alone) await releaseAllLeases(db, clock.now())
    const classifier = await createClassifier(settings.classifier)
    closers.push(() => classifier.close())
    const server = createRestServer({ services, log, publicUrl: settings.publicUrl })

    const delivering = new AbortController()
    const deliver = createDeliverStage({ db, clock, log, metrics, channels: services.channels, sealer: services.sealer })
    closers.push(runUntil(delivering, deliver.run(delivering.signal)))
    const scoring = new AbortController()
    const score = createScoreStage({ db, clock, log, metrics, metered: services.billing === 'metered', classifier, onDeliveries: () => deliver.wake() })
    closers.push(runUntil(scoring, score.run(scoring.signal)))

    const sources = createSources(settings.jetstreamHosts ? { bluesky: { hosts: settings.jetstreamHosts } } : {})
    const registered = sources.map(({ platform, mode }) => ({ source: platform, scheduled: mode === 'stream' }))
    await db.transaction((tx) => registerSources(tx, registered, clock.now()))
    const watch = openWatch({ db, clock, log, metrics, signal: ending.signal })
    await watch.loaded
    closers.push(() => closeRestServer(server, clock, CLOSE_WITHIN_MS))
    await listen(server, settings)
    closers.push(runUntil(ending, runJobs(SCHEDULE, services, log, ending.signal)))
    for (const source of sources) {
      const options = {
        db,
        clock,
        log: log.child({ platform: source.platform }),
        metrics,
        metered: services.billing === 'metered',
        watch,
        pollSeconds: settings.sourcePollSeconds,
        contextFor: (_: unknown, at: Date, signal: AbortSignal) =>
          createCollectContext(source, {
            address: settings.sourceUrls.get(source.platform) ?? null,
            dispatcher: installation.egress.dispatcher,
            userAgent: settings.userAgent,
            at,
            signal,
            log,
          }),
        onMentions: (mentions: readonly NewMention[]) => score.add(mentions, ending.signal),
      }
      closers.push(runUntil(ending, collect(source, options, ending.signal)))
    }
    log.info({ keywords: watch.size, address: settings.publicUrl }, 'started')
  } catch (error) {
    await stop()
    throw error
  }
  return { installation, address: `http://${shownHost(settings.host)}:${settings.port}`, stop }
}

/** Ends a loop by its signal and waits for it. */
function runUntil(controller: AbortController, running: Promise<void>): () => Promise<void> {
  return () => {
    controller.abort()
    return running
  }
}

async function listen(server: ReturnType<typeof createRestServer>, { port, host }: { port: number; host: string }): Promise<void> {
  try {
    await server.listen({ port, host })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'EADDRINUSE') throw new StartError(`PORT: ${port} is in use by another program; stop it or set another PORT.`)
    if (code === 'EACCES') throw new StartError(`PORT: this user may not listen on ${port}; set a PORT above 1023.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') throw new StartError(`EARSHOT_HOST: ${host} is not an address of this machine.`)
    throw error
  }
}

function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '127.0.0.1') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null
  return () => {
    done ??= work()
    return done
  }
}
