-- The security log: who did what of weight, when, from where. Names are those of then, because whoever is named may be gone when it
-- is read. Nothing is ever changed; what is too old is deleted.
create table audit_entry (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null,
  at timestamptz not null,
  kind text not null,
  actor_kind text not null check (actor_kind in ('person', 'api_key', 'operator', 'provider', 'service', 'unknown')),
  -- Of a person or a key.
  actor_id uuid,
  actor_name text,
  actor_email text,
  -- The app through which a person acted.
  client_id text,
  client_name text,
  -- As callers see it.
  target_id text,
  target_name text,
  data jsonb not null,
  address text,
  request_id text,
  primary key (workspace_id, id)
);
-- Without them a filter for what is rare would go over the whole log.
create index audit_entry_by_kind on audit_entry (workspace_id, kind, id desc);
create index audit_entry_by_actor on audit_entry (workspace_id, actor_kind, actor_id, id desc);
create index audit_entry_by_age on audit_entry (at);
