-- Everything that belongs to a workspace has workspace_id first in its primary key and in every unique index: that is
-- the wall between tenants, and it lets the database be spread over machines by workspace later.

create table workspace (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null,
  -- The ledger's balance in thirtieths of a cent; always equal to the last ledger entry's balance.
  balance_units bigint not null default 0,
  last_credit_units bigint not null default 0,
  last_top_up_at timestamptz,
  -- True until the first top-up: keywords are limited to 200 mentions a month.
  welcome_limits boolean not null default true,
  -- Mentions scored on days after this one are pending: counted in the effective balance, not yet in the ledger.
  settled_through date not null
);

create table ledger_entry (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('signup_credit', 'topup', 'auto_recharge', 'refund', 'dispute', 'debit_keyword_days', 'debit_mentions', 'grant', 'adjustment')),
  amount_units bigint not null,
  balance_units bigint not null,
  day date,
  units integer,
  note text,
  created_at timestamptz not null,
  primary key (workspace_id, id)
);

-- Looked up by the hash of what the caller sends, before the workspace is known; hence the key without workspace_id.
create table api_key (
  hash bytea primary key,
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null,
  name text not null,
  prefix text not null,
  scope text not null check (scope in ('read', 'write')),
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);
create unique index api_key_by_id on api_key (workspace_id, id);

create table keyword_group (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null,
  name text not null,
  name_folded text not null,
  external_id text,
  is_default boolean not null,
  context text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create unique index keyword_group_name on keyword_group (workspace_id, name_folded);
create unique index keyword_group_external_id on keyword_group (workspace_id, external_id) where external_id is not null;
create unique index keyword_group_default on keyword_group (workspace_id) where is_default;

create table keyword (
  workspace_id uuid not null,
  id uuid not null,
  group_id uuid not null,
  term text not null,
  term_folded text not null,
  kind text not null check (kind in ('brand', 'competitor', 'topic')),
  -- Null means every platform.
  platforms text[],
  context text,
  required_terms text[] not null,
  required_mode text not null check (required_mode in ('any', 'all')),
  excluded_terms text[] not null,
  -- As the caller wrote them, and in the normal form that is compared.
  excluded_authors text[] not null,
  excluded_author_keys text[] not null,
  case_sensitive boolean not null,
  muted boolean not null,
  paused_for_balance boolean not null default false,
  paused_for_noise boolean not null default false,
  paused_for_cap boolean not null default false,
  -- The monthly limit that the caller chose. The welcome credit may set a lower one, which is derived, not stored.
  cap_own integer,
  review_sources jsonb not null default '[]',
  created_at timestamptz not null,
  -- When the rules, the platforms or the context last changed, or the keyword was unmuted: only later matches count
  -- for its health.
  judged_since timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, group_id) references keyword_group (workspace_id, id)
);
-- For matchers, which read every keyword of the installation in portions.
create index keyword_by_id on keyword (id);
create index keyword_ruled on keyword (id) where required_terms <> '{}' or excluded_terms <> '{}' or excluded_author_keys <> '{}';
-- For the turn of the month, which looks for the few keywords that have reached a limit.
create index keyword_capped on keyword (workspace_id, id) where paused_for_cap;
create unique index keyword_term on keyword (workspace_id, group_id, term_folded);

-- Counters move with every match, the keyword itself hardly ever: apart, so that neither bloats the other.
create table keyword_counter (
  workspace_id uuid not null,
  keyword_id uuid not null,
  mentions bigint not null default 0,
  relevant bigint not null default 0,
  last_mention_at timestamptz,
  -- Matches of one calendar month (UTC); in another month the count is nought.
  month date not null,
  month_mentions integer not null default 0,
  feedback_relevant bigint not null default 0,
  feedback_not_relevant bigint not null default 0,
  primary key (workspace_id, keyword_id),
  foreign key (workspace_id, keyword_id) references keyword (workspace_id, id) on delete cascade
);

-- What was used, by day (UTC), keyword and platform. Outlives the keyword: past charges stay.
-- matched counts by the day of the match; scored, relevant, billable and failed by the day of the scoring.
create table usage_day (
  workspace_id uuid not null references workspace on delete cascade,
  day date not null,
  keyword_id uuid not null,
  platform smallint not null,
  matched integer not null default 0,
  scored integer not null default 0,
  relevant integer not null default 0,
  billable integer not null default 0,
  failed integer not null default 0,
  mention_units bigint not null default 0,
  primary key (workspace_id, day, keyword_id, platform)
);
create index usage_day_keyword on usage_day (workspace_id, keyword_id, day);

-- A day on which a keyword was charged.
create table keyword_day (
  workspace_id uuid not null references workspace on delete cascade,
  day date not null,
  keyword_id uuid not null,
  units bigint not null,
  primary key (workspace_id, day, keyword_id)
);

-- The names under which removed keywords and their groups appear in usage.
create table removed_keyword (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null,
  term text not null,
  group_id uuid not null,
  group_name text not null,
  removed_at timestamptz not null,
  primary key (workspace_id, id)
);

-- A post is stored once, whoever matched it. Its id is made from platform and native id.
create table post (
  id uuid primary key,
  platform smallint not null,
  native_id text not null,
  url text not null,
  title text,
  body text not null,
  image_url text,
  links text[] not null,
  published_at timestamptz not null,
  language_hint text,
  author_id text,
  author jsonb,
  engagement jsonb,
  reply_to jsonb,
  review jsonb,
  collected_at timestamptz not null
);
create index post_by_author on post (platform, author_id) where author_id is not null;

-- A narrow row for each keyword that a post matched, with every value that lists filter by.
create table mention (
  workspace_id uuid not null,
  id uuid not null,
  keyword_id uuid not null,
  post_id uuid not null,
  created_at timestamptz not null,
  published_at timestamptz not null,
  platform smallint not null,
  status smallint not null default 0,
  delivered boolean not null default false,
  is_reply boolean not null,
  rating smallint,
  followers integer,
  likes integer,
  reposts integer,
  replies integer,
  quotes integer,
  views integer,
  bookmarks integer,
  scored_at timestamptz,
  failed boolean not null default false,
  relevance smallint,
  sentiment smallint,
  intents integer,
  automated boolean,
  language text,
  confidence double precision,
  note text,
  -- Hashes of the words of text and author and of the hosts of links, salted with the workspace.
  facets bigint[] not null,
  primary key (workspace_id, id)
) partition by hash (workspace_id);
create unique index mention_once on mention (workspace_id, keyword_id, post_id);
create index mention_by_post on mention (post_id);
create index mention_facets on mention using gin (facets);

do $$
begin
  for remainder in 0..15 loop
    execute format('create table mention_%s partition of mention for values with (modulus 16, remainder %s) with (fillfactor = 85)', remainder, remainder);
  end loop;
end $$;

-- Mentions that wait for a score. A row is made with the mention and removed with its score.
create table score_queue (
  workspace_id uuid not null,
  mention_id uuid not null,
  -- Nobody else takes the row before this instant.
  leased_until timestamptz not null,
  attempts smallint not null default 0,
  primary key (workspace_id, mention_id)
);
create index score_queue_due on score_queue (leased_until);

create table channel (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('webhook', 'slack', 'telegram', 'email')),
  label text not null,
  enabled boolean not null default true,
  config jsonb not null,
  -- Sealed with the installation's key; never leaves the database in any other form than the moment it is made.
  secret_sealed text,
  events text[] not null default '{}',
  created_at timestamptz not null,
  primary key (workspace_id, id)
);

create table alert (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null,
  name text not null,
  enabled boolean not null default true,
  mode text not null check (mode in ('instant', 'hourly', 'daily', 'weekly')),
  event text not null,
  filter jsonb not null,
  schedule jsonb,
  version integer not null default 1,
  created_at timestamptz not null,
  primary key (workspace_id, id)
);

create table alert_channel (
  workspace_id uuid not null,
  alert_id uuid not null,
  channel_id uuid not null,
  position smallint not null,
  primary key (workspace_id, alert_id, channel_id),
  foreign key (workspace_id, alert_id) references alert (workspace_id, id) on delete cascade,
  foreign key (workspace_id, channel_id) references channel (workspace_id, id) on delete cascade
);
create index alert_channel_by_channel on alert_channel (workspace_id, channel_id);

-- The log of what was sent and what became of it.
create table delivery (
  workspace_id uuid not null,
  id uuid not null,
  channel_id uuid not null,
  kind text not null check (kind in ('mention', 'digest', 'event')),
  event text not null,
  alert_id uuid,
  mention_id uuid,
  -- The data of an account event; mentions are read afresh when they are sent.
  data jsonb,
  status text not null check (status in ('pending', 'held', 'delivered', 'failed', 'cancelled')),
  attempts smallint not null default 0,
  attempt_limit smallint not null default 5,
  error text,
  response_status smallint,
  created_at timestamptz not null,
  sent_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, channel_id) references channel (workspace_id, id) on delete cascade
);
create index delivery_by_age on delivery (id);
create index delivery_by_channel on delivery (workspace_id, channel_id, id desc);
create index delivery_by_alert on delivery (workspace_id, alert_id, id desc);
create index delivery_by_mention on delivery (workspace_id, mention_id) where mention_id is not null;

-- Deliveries that wait to be sent; small and short-lived. A row is made with the delivery and removed when it ends.
create table delivery_queue (
  workspace_id uuid not null,
  delivery_id uuid not null,
  channel_id uuid not null,
  due_at timestamptz not null,
  leased_until timestamptz,
  primary key (workspace_id, delivery_id),
  foreign key (workspace_id, delivery_id) references delivery (workspace_id, id) on delete cascade
);
create index delivery_queue_due on delivery_queue (due_at);
-- What waits is claimed by turns of the channels: each channel's own row of deliveries, oldest first.
create index delivery_queue_turns on delivery_queue (channel_id, due_at);

-- How far each source has got, and how it fares.
create table source_state (
  source text primary key,
  -- Whether the service asks this source at intervals; live feeds and sources that were taken out are not scheduled.
  scheduled boolean not null default false,
  cursor jsonb,
  -- The platform's time of the newest thing read.
  newest_at timestamptz,
  last_polled_at timestamptz,
  last_success_at timestamptz,
  empty_polls integer not null default 0,
  failures integer not null default 0,
  last_error text,
  updated_at timestamptz not null
);

-- Answers to requests that carried a requestId, kept for a day.
create table request_answer (
  workspace_id uuid not null references workspace on delete cascade,
  operation text not null,
  request_id uuid not null,
  body_hash bytea not null,
  answer jsonb not null,
  created_at timestamptz not null,
  primary key (workspace_id, operation, request_id)
);
create index request_answer_age on request_answer (created_at);
