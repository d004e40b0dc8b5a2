-- Which keywords changed, for the matchers of all processes. Notifications only say that there is something to read; this
-- says what, also to a process that heard none of them. It outlives keywords and workspaces, whose end is a change too.
create table keyword_change (
  workspace_id uuid not null,
  id bigint generated always as identity,
  keyword_id uuid not null,
  -- The transaction that wrote the change. A reader remembers the snapshot that it read with; what the snapshot did not
  -- see is exactly what may have changed since, late commits included.
  xid xid8 not null default pg_current_xact_id(),
  -- Only for pruning, days later, so the database's own clock will do.
  changed_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
-- For matchers, which ask for all workspaces at once.
create index keyword_change_xid on keyword_change (xid);

-- One row about the log itself.
create table keyword_log (
  one boolean primary key default true check (one),
  -- Tells this installation from every other.
  id uuid not null default gen_random_uuid(),
  -- The latest transaction whose changes were pruned: the log is complete only for readers who saw it.
  pruned_through xid8 not null default '0'
);
insert into keyword_log default values;

-- For matchers, which read and count every keyword that is looked for. Takes the place of the index over muted ones too.
create index keyword_watched on keyword (id) where not muted;
drop index keyword_by_id;
