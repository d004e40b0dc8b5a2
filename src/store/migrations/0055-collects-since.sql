-- Since when a keyword collects as it does now: when its platforms or rules of matching last changed, or it was unmuted; null when neither
-- has happened since it was made. What is usual for it in an hour is counted from here on. A change of its context leaves it alone.
alter table keyword add column collects_since timestamptz;
update keyword set collects_since = judged_since where judged_since > created_at;
