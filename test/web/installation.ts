import { createReceiver, type Receiver } from '../receiver.ts'
import { type EarshotProcess, type Environment, earshot, temporaryDataDir } from '../stand-ins/earshot-process.ts'
import { freePort } from '../stand-ins/free-port.ts'
import { type Jetstream, startJetstream } from '../stand-ins/jetstream.ts'
import { useResource } from '../use-world.ts'
import { type NewWindow, useWindows } from './windows.ts'

/** A service in a process of its own, as it is after the first start, with stand-ins around it. */
export interface Installation {
  origin: string
  /** Stands in for Bluesky, the only platform. */
  jetstream: Jetstream
  /** Takes webhooks. */
  receiver: Receiver
  /** Ends the service as an operator does; its data stays. */
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** The fixture of whole journeys. Nobody has an account yet. */
export function useInstallation(): { installation: Installation; newWindow: NewWindow } {
  const installation = useResource(startInstallation)
  return { installation, newWindow: useWindows(installation, () => null) }
}

async function startInstallation(): Promise<Installation> {
  const [jetstream, receiver, port] = [await startJetstream(), await createReceiver(), await freePort()]
  const folder = temporaryDataDir()
  const origin = `http://127.0.0.1:${port}`
  const settings = {
    DATA_DIR: folder.dataDir,
    PORT: String(port),
    EARSHOT_HOST: '127.0.0.1',
    PUBLIC_URL: origin,
    SOURCE_BLUESKY_URL: jetstream.url,
    EGRESS_ALLOW: '127.0.0.1',
    EARSHOT_LOG_LEVEL: 'fatal',
  }
  let service = await started(settings)
  const stop = async () => {
    service.signal('SIGTERM')
    await service.ended
  }
  return {
    origin,
    jetstream,
    receiver,
    stop,
    async start() {
      service = await started(settings)
    },
    async close() {
      await stop()
      await jetstream.close()
      await receiver.close()
      await folder.remove()
    },
  }
}

async function started(settings: Environment): Promise<EarshotProcess> {
  const service = earshot(['start'], settings)
  await service.says('Earshot is running')
  return service
}
