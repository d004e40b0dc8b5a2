-- Charges stay when a platform deletes a post, and reports of keywords leave it out. Of what a day counts, this much is no longer there.
alter table usage_day
  add column gone_matched integer not null default 0,
  add column gone_scored integer not null default 0,
  add column gone_relevant integer not null default 0;

-- What was deleted before: the difference between the days of present keywords and the mentions that they still have.
update usage_day u set gone_matched = t.matched, gone_scored = t.scored, gone_relevant = t.relevant
from (
  select workspace_id, day, keyword_id, platform, sum(matched) as matched, sum(scored) as scored, sum(relevant) as relevant
  from (
    select u.workspace_id, u.day, u.keyword_id, u.platform, u.matched, u.scored, u.relevant
    from usage_day u join keyword k on k.workspace_id = u.workspace_id and k.id = u.keyword_id
    union all
    select workspace_id, (created_at at time zone 'UTC')::date, keyword_id, platform, -1, 0, 0 from mention
    union all
    select workspace_id, coalesce(counted_on, (scored_at at time zone 'UTC')::date), keyword_id, platform, 0, -1, -coalesce(relevance >= 40, false)::int
    from mention where scored_at is not null and not failed) moves
  group by workspace_id, day, keyword_id, platform having (sum(matched), sum(scored), sum(relevant)) <> (0, 0, 0)) t
where u.workspace_id = t.workspace_id and u.day = t.day and u.keyword_id = t.keyword_id and u.platform = t.platform;
