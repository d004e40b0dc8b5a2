-- What stands in 256 mentions of a workspace that follow each other by id, so that a list for something rare passes over
-- those that cannot hold it. Made some time after the mentions; whatever has no block yet is looked at one by one. A block
-- may promise more than there is, never less: whoever gives an old mention another value marks its block as stale, and a
-- stale block is looked at until it is summed up anew.
create table mention_block (
  workspace_id uuid not null references workspace on delete cascade,
  -- The mentions after the one id, up to the other, which is included.
  after_id uuid not null,
  last_id uuid not null,
  stale boolean not null default false,
  -- A bit for each value that is there; some keywords share one.
  platforms integer not null,
  ratings integer not null,
  sentiments integer not null,
  intents integer not null,
  languages text[] not null,
  keywords bit(512) not null,
  automated boolean not null,
  replies boolean not null,
  own_posts boolean not null,
  -- Null where some have no score.
  relevance_min smallint,
  relevance_max smallint,
  confidence_max double precision,
  followers_min integer,
  followers_max integer,
  likes_max integer,
  reposts_max integer,
  replies_max integer,
  quotes_max integer,
  views_max integer,
  bookmarks_max integer,
  published_min timestamptz not null,
  published_max timestamptz not null,
  primary key (workspace_id, last_id)
);
create index mention_block_stale on mention_block (workspace_id, last_id) where stale;
