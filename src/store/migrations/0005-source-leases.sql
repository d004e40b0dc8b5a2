-- Several processes share the work: who collects from which source, and whose turn each recurring job is.

-- One process at a time collects from a source. A row that nobody holds, or whose lease is over, is free.
alter table source_state add column holder uuid;
alter table source_state add column leased_until timestamptz;

-- The processes that collect, so that each can work out its share of the sources.
create table collector (
  id uuid primary key,
  alive_until timestamptz not null
);

-- When each recurring job is due again, whichever process runs it.
create table job_turn (
  job text primary key,
  due_at timestamptz not null
);
