import { COMMAND } from '../kernel/checkout.ts'
import type { Sealer } from '../kernel/sealing.ts'
import { StartError } from '../kernel/start-error.ts'
import { secretBinding } from '../store/channel/channels.ts'
import type { Database } from '../store/database.ts'
import { keepKeySample, readKeySample, readNewestSecrets, replaceKeySample } from '../store/sealed-secrets.ts'
import type { Installation } from './installation.ts'

const SAMPLE = 'the key of this database'
const BOUND_TO = 'key_check'
const SECRETS_TRIED = 20

/**
 * A process with another key could not deliver and would seal what its peers cannot open, so it refuses to start. With
 * the built-in database there are no peers and the key was lost: the service collects and holds deliveries until new
 * secrets are made. Waiting mails, invitation links and pending sign-ins are lost.
 */
export async function checkKey({ alone, log, services: { db, sealer } }: Installation): Promise<void> {
  if (await isKeyOf(db, sealer)) return
  const problem = 'the secrets in this database were sealed with another key'
  const changed =
    `if the key was changed on purpose, run "${COMMAND} adopt-key" with the new one, then give every webhook a new ` +
    'secret and its own headers again, connect Slack again and make open invitations anew'
  if (!alone)
    throw new StartError(`EARSHOT_SECRET_KEY: ${problem}. Every process that shares it needs the same one; ${changed}.`)
  log.error(
    { event: 'service.key_changed' },
    'The secrets in this database are sealed with another key. Deliveries are held, and waiting mails and open ' +
      'invitations cannot be used, until the old key is back in DATA_DIR/secret.key or EARSHOT_SECRET_KEY. If the ' +
      'key was changed on purpose, run "earshot adopt-key"',
  )
}

export async function adoptKey({ services: { db, sealer } }: Installation): Promise<void> {
  await db.transaction((tx) => replaceKeySample(tx, sealer.seal(SAMPLE, BOUND_TO)))
}

export function opensSample(sealer: Sealer, sample: string): boolean {
  return sealer.open(sample, BOUND_TO) === SAMPLE
}

/** The first process to start sets the key. */
async function isKeyOf(db: Database, sealer: Sealer): Promise<boolean> {
  const sample = await readKeySample(db)
  if (sample !== null) return opensSample(sealer, sample)
  if (!(await opensSecrets(db, sealer))) return false
  // A concurrent process may have set another key first.
  const kept = await db.transaction((tx) => keepKeySample(tx, sealer.seal(SAMPLE, BOUND_TO)))
  return opensSample(sealer, kept)
}

/** Without a sample secrets tell the key; without secrets every key is accepted. */
async function opensSecrets(db: Database, sealer: Sealer): Promise<boolean> {
  const secrets = await readNewestSecrets(db, SECRETS_TRIED)
  return (
    secrets.length === 0 ||
    secrets.some(
      ({ workspaceId, channelId, sealed }) => sealer.open(sealed, secretBinding(workspaceId, channelId)) !== null,
    )
  )
}
