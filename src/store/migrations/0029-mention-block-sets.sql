-- Blocks also say which of their mentions have what, so that a list for two things that are common each, and hardly ever meet,
-- passes over the blocks in which they do not meet. Blocks are made anew from the mentions.
drop table mention_block;
create table mention_block (
  workspace_id uuid not null references workspace on delete cascade,
  -- The mentions after the one id, up to the other, which is included.
  after_id uuid not null,
  last_id uuid not null,
  stale boolean not null default false,
  -- A bit for each value that is there; few keywords share one.
  platforms integer not null,
  ratings integer not null,
  sentiments integer not null,
  intents integer not null,
  languages text[] not null,
  keywords bit(4096) not null,
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
  -- Sets of mentions, a bit for each by its place in the block: one for each value, or for each of a few steps of a number.
  platform_sets bit(256)[] not null,
  rating_sets bit(256)[] not null,
  sentiment_sets bit(256)[] not null,
  intent_sets bit(256)[] not null,
  -- Languages share sets.
  language_sets bit(256)[] not null,
  relevance_sets bit(256)[] not null,
  follower_sets bit(256)[] not null,
  flag_sets bit(256)[] not null,
  primary key (workspace_id, last_id)
);
create index mention_block_stale on mention_block (workspace_id, last_id) where stale;

-- The blocks of a workspace in which mentions with one of these facets stand; null when there are too many of them to be worth it.
-- By the index in any case: for the sake of the limit the planner would read a table from end to end.
create function blocks_with_facets(of_workspace uuid, wanted bigint[]) returns uuid[] language sql stable set enable_seqscan = off as $$
  with found as materialized (select id from mention where workspace_id = of_workspace and facets && wanted limit 501)
  select case when count(*) <= 500 then coalesce(array_agg(distinct (
    select b.last_id from mention_block b where b.workspace_id = of_workspace and b.last_id >= found.id order by b.last_id limit 1)), '{}') end
  from found
$$;
