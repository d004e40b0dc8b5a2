import { silentLog } from '../../kernel/log.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

/**
 * The second process of the supervisor's tests: owns the database of the data folder in its argument until a message
 * comes. Killed before, it leaves the server running as a crashed service does.
 */
async function hold(dataDir: string): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog, durable: false })
  process.once('message', () => void server.stop().then(() => process.disconnect()))
  process.send?.({ adopted: server.adopted })
}

void hold(process.argv[2] ?? '')
