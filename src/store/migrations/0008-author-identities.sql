-- Who stands behind the handles of people whom keywords exclude, on platforms whose posts carry nothing but an id.
create table author_identity (
  platform text not null,
  -- In lower case, without @.
  handle text not null,
  -- Null while nothing is known. A handle that is given up keeps the last id: its person is still meant.
  id text,
  -- When the platform last answered.
  checked_at timestamptz,
  -- When it is to be asked again.
  due_at timestamptz not null,
  primary key (platform, handle)
);
create index author_identity_due on author_identity (due_at);

-- For the keywords that exclude a person, of which there are few.
create index keyword_excluding on keyword using gin (excluded_author_keys) where excluded_author_keys <> '{}';

-- Handles in keywords that are there already are asked for as soon as the service runs.
insert into author_identity (platform, handle, due_at)
select distinct 'bluesky', handle, to_timestamp(0)
from keyword k cross join unnest(k.excluded_author_keys) as e (key)
cross join lateral substring(e.key from '^(?:https://bsky\.app/profile/)?((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)$') as h (handle)
where handle is not null and length(handle) <= 253;
