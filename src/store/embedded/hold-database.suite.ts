import { silentLog } from '../../kernel/log.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

/**
 * The other process in the tests of the supervisor: holds the database of the data folder in its argument, says when it
 * has it, and gives it back when told to. Killed before that, it leaves the server behind as a crashed service does.
 */
async function hold(dataDir: string): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog, durable: false })
  process.once('message', () => void server.stop().then(() => process.disconnect()))
  process.send?.({ adopted: server.adopted })
}

void hold(process.argv[2] ?? '')
