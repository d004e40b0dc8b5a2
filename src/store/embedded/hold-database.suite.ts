import { silentLog } from '../../kernel/log.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

/**
 * A second process for the supervisor's tests: owns the database of its argument's folder until a message comes. Killed
 * before, it leaves the server running.
 */
async function hold(dataDir: string): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog, durable: false })
  process.once('message', () => void server.stop().then(() => process.disconnect()))
  process.send?.({ adopted: server.adopted })
}

void hold(process.argv[2] ?? '')
