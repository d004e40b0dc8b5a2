alter table mention
  -- The day under which its score was counted, where that is another than the day of the score; null otherwise.
  add column counted_on date;

-- What one person looks after: for lists of it, and for taking it off somebody who leaves.
create index mention_assigned on mention (workspace_id, assignee_id, id desc) where assignee_id is not null;

-- Who changed what of a mention, and when. Goes with the mention.
create table mention_change (
  workspace_id uuid not null,
  mention_id uuid not null,
  id uuid not null,
  changed_at timestamptz not null,
  -- An API key or a person of the team, with their name as it was then.
  actor_kind text not null check (actor_kind in ('api_key', 'person')),
  actor_id uuid not null,
  actor_name text not null,
  -- A list of what became what, as src/domain/mention/triage.ts has it.
  changes jsonb not null,
  primary key (workspace_id, mention_id, id),
  foreign key (workspace_id, mention_id) references mention (workspace_id, id) on delete cascade
);
