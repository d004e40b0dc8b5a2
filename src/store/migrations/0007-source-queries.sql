-- Platforms that are asked for one thing at a time: for a term, or for a storefront or language of a review page.

-- One row for each thing that a platform is asked for, whoever wants it and however many do.
create table source_query (
  platform smallint not null,
  -- The folded term; or id, storefront and language of a review page, with a bar between each.
  key text not null,
  -- The term as whoever came first wrote it; null for a page.
  term text,
  -- Null when there is nothing to ask for at present.
  due_at timestamptz,
  -- Up to where the platform was read: the next poll begins there, less the overlap of its platform.
  read_until timestamptz,
  last_polled_at timestamptz,
  -- When its turn would be if every poll brought something: whoever joins does not have it asked before.
  turn_at timestamptz,
  -- Polls in a row that brought nothing new.
  empty_polls integer not null default 0,
  -- How often it was asked in vain in a row: the more, the fewer others it is asked with.
  failures integer not null default 0,
  last_error text,
  -- Somebody has joined for whom the next poll looks back.
  look_back boolean not null,
  primary key (platform, key)
);
create index source_query_due on source_query (platform, due_at) where due_at is not null;

-- Which keyword asks which platform for what.
create table keyword_query (
  workspace_id uuid not null,
  keyword_id uuid not null,
  platform smallint not null,
  key text not null,
  -- From when on it collects: what was published before comes in by looking back only.
  since timestamptz not null,
  -- Whether looking back is still to be done, and how many mentions it has made.
  look_back boolean not null,
  looked_back integer not null default 0,
  primary key (workspace_id, keyword_id, platform, key),
  foreign key (workspace_id, keyword_id) references keyword (workspace_id, id) on delete cascade,
  foreign key (platform, key) references source_query (platform, key)
);
create index keyword_query_by_query on keyword_query (platform, key);

-- Keywords that are there already: they collect from now on, their pages too, and have nothing to look back for.
create temporary table asked on commit drop as
select k.workspace_id, k.id as keyword_id, p.number::smallint as platform, k.term_folded as key, k.term
from keyword k
cross join (values ('github', 2), ('reddit', 5), ('x', 6), ('youtube', 7), ('news', 8), ('linkedin', 9), ('tiktok', 10), ('instagram', 11)) as p (name, number)
where k.platforms is null or p.name = any(k.platforms)
union all
select k.workspace_id, k.id, p.number::smallint,
  concat_ws('|', s.page ->> 'id', coalesce(c.country, ''), coalesce(s.page ->> 'language', '')), null
from keyword k
cross join lateral jsonb_array_elements(k.review_sources) as s (page)
join (values ('appstore', 12), ('googleplay', 13), ('trustpilot', 14), ('googlemaps', 15)) as p (name, number) on p.name = s.page ->> 'platform'
left join lateral jsonb_array_elements_text(s.page -> 'countries') as c (country) on true;

insert into source_query (platform, key, term, due_at, look_back)
select platform, key, min(term), now() + random() * interval '1 hour', false from asked group by platform, key;
insert into keyword_query (workspace_id, keyword_id, platform, key, since, look_back)
select distinct workspace_id, keyword_id, platform, key, now(), false from asked;

-- What was taken of the quotas of each platform on one day of its calendar.
create table source_quota (
  platform text not null,
  quota text not null,
  day date not null,
  spent bigint not null,
  primary key (platform, quota)
);

-- How far ahead each paced limit has been used up; and, under an empty name, until when a platform wants to be left alone.
create table source_pace (
  platform text not null,
  quota text not null,
  per_seconds integer not null,
  used_until timestamptz not null,
  primary key (platform, quota, per_seconds)
);

-- Mentions that are never charged: reviews from before their page was connected.
alter table mention add column free boolean not null default false;
