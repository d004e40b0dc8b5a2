-- Under which leave of an app a key, an invitation or a channel was made, so that it ends with the leave, or is told of then. A
-- grant that has ended is forgotten after a while, and what was made under it keeps its name.
alter table api_key add column grant_id uuid;
alter table invitation add column grant_id uuid;
alter table channel add column grant_id uuid;
create index api_key_of_grant on api_key (workspace_id, grant_id) where grant_id is not null and revoked_at is null;
create index invitation_of_grant on invitation (workspace_id, grant_id) where grant_id is not null;
create index channel_of_grant on channel (workspace_id, grant_id) where grant_id is not null;
