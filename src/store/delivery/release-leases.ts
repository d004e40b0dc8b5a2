import type { Database } from '../database.ts'

/** Only for a process that knows it is the only one: the leases are a dead process's. */
export async function releaseAllLeases(db: Database, at: Date): Promise<void> {
  await db.transaction((tx) =>
    tx.run(
      'release-delivery-leases',
      "update delivery_queue set leased_until = null where leased_until < 'infinity'",
      [],
    ),
  )
  // Leases without an end are of workspaces that are being deleted or moved.
  await db.run(
    'release-score-leases',
    "update score_queue set leased_until = $1 where leased_until > $1 and leased_until < 'infinity'",
    [at],
  )
}
