-- Rules that send digests know when they run next; null for instant rules and for those that are switched off.
alter table alert add column next_run_at timestamptz;
create index alert_next_run on alert (next_run_at) where next_run_at is not null;

alter table delivery
  -- Of a digest: the mode of its rule, the moment it was due, from which the time for attempts counts, and the name of its period in the log.
  add column mode text check (mode in ('hourly', 'daily', 'weekly')),
  add column digest_due_at timestamptz,
  add column period text,
  -- The delivery that this one repeats.
  add column replay_of uuid,
  add constraint delivery_digest check ((kind = 'digest') = (mode is not null) and (mode is null) = (digest_due_at is null) and (mode is null) = (period is null));
-- However often a digest is made, each channel gets it once; only a replay sends it again.
create unique index delivery_by_period on delivery (workspace_id, alert_id, period, channel_id) where period is not null and replay_of is null;
create index delivery_by_replayed on delivery (workspace_id, replay_of) where replay_of is not null;
