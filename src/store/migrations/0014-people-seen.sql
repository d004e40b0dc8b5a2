-- What the scored mentions say of the people who wrote them. Scoring leaves a row for each mention and counts nothing itself,
-- so that an author whom many mention at once is no row that everybody waits for; what was left is added up a moment later.
-- Whoever takes mentions away, or marks them, leaves rows that take back. A row may outlive its workspace.
create table account_change (
  workspace_id uuid not null,
  id bigint generated always as identity,
  account_id uuid not null,
  -- These four are null where nothing came or went and only a verdict is another now.
  post_id uuid,
  platform smallint,
  seen_at timestamptz,
  kind text,
  -- How much is added to each count. The intents, a bit for each, are counted as often as the mentions.
  mentions integer not null,
  relevant smallint not null,
  positive smallint not null,
  neutral smallint not null,
  negative smallint not null,
  intents integer not null,
  primary key (workspace_id, id)
);

-- Keywords that are of another kind now, as long as their mentions still count for the kind before. The mentions are gone
-- through in the order of their posts, a portion at a time: those behind `through` are to be counted for the new kind yet.
-- Of several changes of one keyword the next begins when the one before is through.
create table kind_change (
  workspace_id uuid not null,
  keyword_id uuid not null,
  id bigint generated always as identity,
  from_kind text not null,
  to_kind text not null,
  through uuid not null default '00000000-0000-0000-0000-000000000000',
  primary key (workspace_id, keyword_id, id),
  foreign key (workspace_id, keyword_id) references keyword on delete cascade
);

alter table account
  -- When the post was published from which the profile is.
  add column profile_at timestamptz not null default '-infinity',
  -- The folded words of name and handle.
  add column words text[] not null default '{}',
  add column mentions integer not null default 0,
  add column relevant integer not null default 0,
  add column positive integer not null default 0,
  add column neutral integer not null default 0,
  add column negative integer not null default 0,
  -- Mentions by intent and by the kind of the keyword, in the order of the lists of intents and of kinds.
  add column intent_counts integer[] not null default '{}',
  add column kind_counts integer[] not null default '{}',
  add column first_seen_at timestamptz,
  add column last_seen_at timestamptz;
-- The few that are part of somebody else, of whom scoring has to know.
create index account_merged on account (workspace_id, id) where person_id <> id;

-- All that lists of people look at: always the sum of the person's accounts.
alter table person
  add column followers integer,
  -- Bits of the platforms, of the intents and of the kinds of keywords that occur.
  add column platforms integer not null default 0,
  add column intents integer not null default 0,
  add column kinds integer not null default 0,
  add column mentions integer not null default 0,
  add column relevant integer not null default 0,
  add column positive integer not null default 0,
  add column neutral integer not null default 0,
  add column negative integer not null default 0,
  add column first_seen_at timestamptz,
  add column last_seen_at timestamptz,
  -- The words of all accounts, each behind the end of the workspace's id, so that no look-up meets another workspace.
  add column words tsvector not null default '';
-- The usual order, and all that most filters look at beside it, so that those who fit are counted without reading their rows.
create index person_by_mentions on person (workspace_id, mentions desc, id desc)
  include (followers, platforms, intents, kinds, negative, last_seen_at, muted);
create index person_by_last_seen on person (workspace_id, last_seen_at desc nulls last, id desc);
create index person_by_first_seen on person (workspace_id, first_seen_at desc nulls last, id desc);
create index person_by_followers on person (workspace_id, followers desc nulls last, id desc);
create index person_words on person using gin (words) with (fastupdate = off);
-- Whether scoring has to look at people at all.
create index person_marked on person (workspace_id) where muted or tags <> '{}';
-- Both are written again with every mention.
alter table account set (fillfactor = 70);
alter table person set (fillfactor = 70);

-- How many people a workspace has. Whoever makes, joins, parts or removes people of a workspace holds its row meanwhile.
create table people_total (
  workspace_id uuid primary key references workspace on delete cascade,
  people bigint not null default 0
);

-- Named filters of the list of people.
create table segment (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null,
  name text not null,
  name_folded text not null,
  description text not null default '',
  filter jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create unique index segment_name on segment (workspace_id, name_folded);

-- The mentions that are there already get the accounts that they would have been given (accountIdOf in domain/person), and are
-- found by them (accountFacet in store/facets). The index of facets is made anew, as in 0003.
drop index mention_facets;
update mention m set account_id = t.account_id,
  facets = facets || ((('x' || right(m.workspace_id::text, 6))::bit(24)::bigint << 40) | ('x' || left(replace(t.account_id::text, '-', ''), 10))::bit(40)::bigint)
from (
  select workspace_id, id,
    encode(set_byte(set_byte(substring(digest for 16), 6, (get_byte(digest, 6) & 15) | 128), 8, (get_byte(digest, 8) & 63) | 128), 'hex')::uuid as account_id
  from (
    select n.workspace_id, n.id, sha256(convert_to('account', 'UTF8') || '\x00' || convert_to(n.workspace_id::text, 'UTF8') || '\x00'
      || convert_to((array['bluesky', 'hackernews', 'github', 'stackoverflow', 'devto', 'reddit', 'x', 'youtube', 'news', 'linkedin', 'tiktok', 'instagram',
        'appstore', 'googleplay', 'trustpilot', 'googlemaps'])[n.platform + 1], 'UTF8') || '\x00' || convert_to(named.key, 'UTF8')) as digest
    from mention n join post p on p.id = n.post_id
    cross join lateral (select coalesce('id ' || nullif(p.author ->> 'id', ''), 'handle ' || lower(nullif(p.author ->> 'handle', '')), 'url ' || nullif(p.author ->> 'url', ''),
      'name ' || nullif(p.author ->> 'name', '')) as key) named
    where n.account_id is null and named.key is not null) hashed) t
where m.workspace_id = t.workspace_id and m.id = t.id;
create index mention_facets on mention using gin (facets);

insert into account_change (workspace_id, account_id, post_id, platform, seen_at, kind, mentions, relevant, positive, neutral, negative, intents)
select m.workspace_id, m.account_id, m.post_id, m.platform, m.published_at, k.kind, 1, coalesce(m.relevance >= 40, false)::int, coalesce(m.sentiment = 0, false)::int,
  coalesce(m.sentiment = 1, false)::int, coalesce(m.sentiment = 2, false)::int, coalesce(m.intents, 0)
from mention m join keyword k on k.workspace_id = m.workspace_id and k.id = m.keyword_id
where m.scored_at is not null and m.account_id is not null;
