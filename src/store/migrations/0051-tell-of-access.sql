-- Whoever follows the mentions of a workspace asks again whether they still may as soon as a key, a leave of an app, a session or a
-- membership of it has ended: in every process, and whichever statement ended it. The notification is the one of scored mentions
-- without any.
create function tell_access_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('earshot_scored', old.workspace_id::text)
    where exists (select from mention_follower f where f.workspace_id = old.workspace_id);
  return null;
end $$;

create trigger api_key_ended after update of revoked_at on api_key for each row
  when (old.revoked_at is null and new.revoked_at is not null) execute function tell_access_changed();
create trigger api_key_gone after delete on api_key for each row execute function tell_access_changed();
create trigger oauth_grant_ended after update of revoked_at on oauth_grant for each row
  when (old.revoked_at is null and new.revoked_at is not null) execute function tell_access_changed();
create trigger user_session_moved after update of workspace_id on user_session for each row
  when (old.workspace_id is distinct from new.workspace_id) execute function tell_access_changed();
create trigger user_session_gone after delete on user_session for each row execute function tell_access_changed();
create trigger membership_changed after update of role on membership for each row
  when (old.role is distinct from new.role) execute function tell_access_changed();
create trigger membership_gone after delete on membership for each row execute function tell_access_changed();
