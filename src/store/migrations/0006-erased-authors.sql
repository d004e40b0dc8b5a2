-- Authors whose posts are not stored any more, as keyed hashes. A process reads the list again when `number` has grown.
create table erased_author (
  hash bytea not null,
  number integer not null generated always as identity,
  erased_at timestamptz not null,
  primary key (hash)
);
create unique index erased_author_number on erased_author (number);

-- Erasures that have not ended: whom to erase, for the command to continue after a crash.
create table erasure (
  id uuid not null,
  begun_at timestamptz not null,
  plan jsonb not null,
  primary key (id)
);
