-- True while a workspace is on its way to another cell, at both ends: nothing but the move changes or sends anything of
-- it, and what posts match waits in `awaited_match`.
alter table workspace add column frozen boolean not null default false;
create index workspace_frozen on workspace (id) where frozen;

-- Posts that matched keywords of a frozen workspace, or without `post`, that were removed.
create table awaited_match (
  workspace_id uuid not null,
  keyword_id uuid not null,
  post_id uuid not null,
  post jsonb,
  free boolean not null,
  -- Whether the other cell has it. The row stays, because its post may be removed later.
  handed boolean not null default false,
  primary key (workspace_id, keyword_id, post_id)
);

-- Moves to other cells, begun or ended, at the cell that a workspace leaves. The row outlives the workspace and answers
-- where it went.
create table moved_workspace (
  id uuid not null,
  name text not null,
  -- Which database it moves to: server and database.
  target text not null,
  -- The public address of the other cell, without a slash at the end.
  address text not null,
  state text not null,
  begun_at timestamptz not null,
  -- When it was opened at the other cell.
  opened_at timestamptz,
  -- How far the other cell had read each source once it watched the keywords: the time of the newest post.
  read_there jsonb,
  primary key (id),
  check (state in ('frozen', 'left', 'opened', 'gone'))
);

-- Hashes of keys, tokens and sessions of moved workspaces, so that their requests are told where to go.
create table moved_credential (
  hash bytea not null,
  moved_id uuid not null,
  primary key (hash),
  foreign key (moved_id) references moved_workspace (id) on delete cascade
);
create index moved_credential_of on moved_credential (moved_id);
