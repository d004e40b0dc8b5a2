-- Named filters of the mention list.
create table saved_view (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null,
  name text not null,
  name_folded text not null,
  description text not null default '',
  filter jsonb not null,
  version integer not null default 1,
  -- The secret in the address of the view's feed.
  feed_token text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create unique index saved_view_name on saved_view (workspace_id, name_folded);
-- A feed is asked for by its address alone.
create index saved_view_by_id on saved_view (id);

-- Workspaces whose newly scored mentions somebody follows: only of these does scoring tell. Each process that serves such
-- streams keeps its row while it has any, and one that died is forgotten when its time is over.
create table mention_follower (
  workspace_id uuid not null references workspace on delete cascade,
  process_id uuid not null,
  until timestamptz not null,
  primary key (workspace_id, process_id)
);
