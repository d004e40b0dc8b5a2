-- How the scheduled backups fare, for the doctor and for whoever makes the next one; one row at most.
create table scheduled_backup (
  one boolean not null default true,
  -- The end of the last run.
  tried_at timestamptz not null,
  -- Of the last archive.
  succeeded_at timestamptz,
  file text,
  bytes bigint,
  -- Why the last run failed.
  error text,
  primary key (one),
  check (one)
);
