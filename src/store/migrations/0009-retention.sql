-- How many days a workspace keeps mentions and deliveries; null follows the installation.
alter table workspace add column mentions_kept_days smallint;
alter table workspace add column deliveries_kept_days smallint;

-- Mentions that retention removed, by keyword. Counters of keywords and days of usage still contain them; lists do not.
create table keyword_expired (
  workspace_id uuid not null,
  keyword_id uuid not null,
  mentions bigint not null,
  relevant bigint not null,
  -- As usage_day counts them: without failed scores.
  scored bigint not null,
  scored_relevant bigint not null,
  feedback_relevant bigint not null,
  feedback_not_relevant bigint not null,
  -- The publication of the latest removed post.
  last_mention_at timestamptz not null,
  primary key (workspace_id, keyword_id),
  foreign key (workspace_id, keyword_id) references keyword (workspace_id, id) on delete cascade
);

-- The size of the database over the last weeks, to tell how fast it grows.
create table database_size (
  at timestamptz not null,
  bytes bigint not null,
  -- What is free on its volume; null where that is not seen.
  free_bytes bigint,
  primary key (at)
);

-- Kinds are those that the service knows: another list of them would refuse what a later version writes.
alter table attention_item drop constraint attention_item_kind_check;
