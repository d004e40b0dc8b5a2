-- What deserves a look: something about a keyword or a channel that began at one moment and ends by itself.
create table attention_item (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('mention.spike', 'sentiment.negative_spike', 'keyword.noisy', 'channel.failing')),
  -- A keyword or a channel, as the kind says. It may be gone.
  subject_id uuid not null,
  -- What the event said when the item opened.
  data jsonb not null,
  opened_at timestamptz not null,
  -- When its condition ended, whether or not somebody had dismissed it before.
  resolved_at timestamptz,
  dismissed_at timestamptz,
  primary key (workspace_id, id)
);
-- While its condition lasts there is no second item, also when the first is dismissed.
create unique index attention_item_lasting on attention_item (workspace_id, kind, subject_id) where resolved_at is null;
create index attention_item_by_age on attention_item (resolved_at) where resolved_at is not null;

-- What each hour brought to a keyword, by the time of the match: rows only where it brought something. Written by the look for what
-- deserves attention, which reads the mentions of the last day anew each time, so that late scores and marks of the team count. No key
-- leads to the keyword or the workspace: rows go by their age.
create table attention_hour (
  workspace_id uuid not null,
  hour timestamptz not null,
  keyword_id uuid not null,
  -- Matches whose posts were new, and those of them that are relevant.
  fresh integer not null,
  fresh_relevant integer not null,
  -- Matches that have a relevance, the relevant ones, and those of these that are negative.
  scored integer not null,
  relevant integer not null,
  negative integer not null,
  primary key (workspace_id, keyword_id, hour)
);
create index attention_hour_by_hour on attention_hour (workspace_id, hour);

-- When a keyword was seen not to collect because it had reached its monthly limit: hours before say nothing of what is usual.
create table attention_gap (
  workspace_id uuid not null,
  keyword_id uuid not null,
  -- The last full hour, by its end, after which it was seen so; and the one before that, for a look that is taken twice.
  seen timestamptz not null,
  seen_before timestamptz,
  primary key (workspace_id, keyword_id)
);

-- How far it was looked: one row, once a look was begun. Both only move forward, whatever clock a process goes by.
create table attention_look (
  only_one boolean primary key default true check (only_one),
  -- The end of the last full hour for which a look was begun; and of the last that was looked at everywhere, once there was one.
  begun timestamptz not null,
  until timestamptz,
  -- When it was looked again after the service had been off for long: hours before say nothing of what is usual.
  collecting_since timestamptz
);

-- What the owners of a workspace are to be told by mail: written with the event, and gone once the mail is queued. Those about
-- keywords at their limit stay for a day after that, because the next are collected for as long.
create table owner_notice (
  workspace_id uuid not null,
  id uuid not null,
  event text not null check (event in ('keyword.capped', 'wallet.low', 'wallet.paused')),
  data jsonb not null,
  created_at timestamptz not null,
  mailed_at timestamptz,
  primary key (workspace_id, id)
);
create index owner_notice_mailed on owner_notice (mailed_at) where mailed_at is not null;
create index owner_notice_waiting on owner_notice (workspace_id, id) where mailed_at is null;
create index owner_notice_by_age on owner_notice (created_at);
