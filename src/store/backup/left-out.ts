/**
 * Tables that a backup leaves out, because their rows mean nothing, or too much, in another database. All others are
 * part of it.
 */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  kysely_migration: 'the manifest names the migrations',
  kysely_migration_lock: 'belongs to a running migration',
  keyword_change: 'holds transaction ids of one server',
  keyword_log: 'names one database, so that matchers of another one read every keyword',
  collector: 'names running processes',
  workspace_follower: 'names running processes',
  telegram_poller: 'names running processes',
  scheduled_backup: 'tells of archives of another installation',
  limit_count: 'what callers have used up lately, which a restore may forget',
  job_turn: 'every job is due after a restore, and does no harm when it runs once more',
  user_session: 'a session that was ended after the backup must not begin again: people sign in again',
  email_link: 'a link that was used after the backup must not work again',
  oauth_code: 'a code that was used after the backup must not work again',
}
