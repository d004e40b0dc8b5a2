-- The team at Slack that a workspace is connected to.
create table slack_connection (
  workspace_id uuid primary key references workspace on delete cascade,
  team_id text not null,
  team_name text not null,
  scopes text[] not null,
  -- Speaks for the app in the team; sealed, and bound to the workspace. Its channels keep it too, each bound to itself.
  token_sealed text not null,
  -- By which it is known whether it is the one that Slack did not take.
  token_hash bytea not null,
  connected_at timestamptz not null,
  -- An API key or a person of the team, with their name as it was then.
  connected_by_kind text not null check (connected_by_kind in ('api_key', 'person')),
  connected_by_id uuid not null,
  connected_by_name text not null,
  -- Since when Slack does not take the token any more; null while it does.
  broken_at timestamptz
);
create index slack_connection_by_team on slack_connection (team_id);

-- Somebody is on the way to Slack to allow the app there. Good for one way back.
create table slack_journey (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null,
  asked_by_kind text not null check (asked_by_kind in ('api_key', 'person')),
  asked_by_id uuid not null,
  -- Where somebody asked who was signed in in a browser, only that person can come back.
  in_browser boolean not null,
  expires_at timestamptz not null,
  primary key (workspace_id, id)
);

-- Those who press buttons in Slack have a name there and no id here.
alter table mention_change
  drop constraint mention_change_actor_kind_check,
  alter column actor_id drop not null,
  add constraint mention_change_actor_kind_check check (actor_kind in ('api_key', 'person', 'slack') and (actor_id is null) = (actor_kind = 'slack'));
