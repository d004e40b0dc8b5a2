import type { Database } from '../database.ts'

/**
 * Ends every lease. Only for a process that knows itself to be the only one: what its predecessor held when it died is
 * then free at once instead of after the lease.
 */
export async function releaseAllLeases(db: Database, at: Date): Promise<void> {
  await db.transaction((tx) =>
    tx.run(
      'release-delivery-leases',
      'update delivery_queue set leased_until = null where leased_until is not null',
      [],
    ),
  )
  await db.run('release-score-leases', 'update score_queue set leased_until = $1 where leased_until > $1', [at])
}
