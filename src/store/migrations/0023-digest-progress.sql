-- How far the digests of a rule have got. A row is made when the rule begins to send digests, anew when it begins again, and goes with the rule.
create table digest_progress (
  workspace_id uuid not null,
  alert_id uuid not null,
  -- Since then the rule sends digests: what was scored before is in none.
  begun_at timestamptz not null,
  -- What was scored before this instant is told, whether or not it had to be sent.
  told_until timestamptz not null,
  -- What is scored from then on was matched at this instant or later.
  matched_since timestamptz not null,
  -- The mentions that were told last, as far back as others may not have been committed yet that were scored before them.
  told_last uuid[] not null,
  primary key (workspace_id, alert_id),
  foreign key (workspace_id, alert_id) references alert (workspace_id, id) on delete cascade
);
