-- The last mention of a keyword is its latest post, not its latest match: a post that is found late is none.
drop function count_matches(timestamptz, date, boolean, uuid[], uuid[], integer[], date[], integer[], integer[], boolean[], boolean[],
  uuid[], uuid[], date[], smallint[], integer[], uuid[], uuid[], date[], integer[], integer[], integer[], integer[]);

-- As before (see the migration that made it), and told of each keyword the publication of its latest post in the batch.
create function count_matches(
  current_month date, metered boolean,
  workspaces uuid[], keywords uuid[], added integer[], latest timestamptz[], months date[], caps_own integer[], caps integer[], limited boolean[], paused boolean[],
  usage_workspaces uuid[], usage_keywords uuid[], usage_days date[], usage_platforms smallint[], usage_matched integer[],
  recent_workspaces uuid[], recent_keywords uuid[], recent_days date[], quarters_1 integer[], quarters_2 integer[], quarters_3 integer[], quarters_4 integer[]
) returns integer[] language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  counts integer[];
begin
  with moved as (
    update keyword_counter c set mentions = c.mentions + t.added, last_mention_at = greatest(c.last_mention_at, t.latest),
      month_mentions = case when c.month >= current_month then c.month_mentions else 0 end + t.added, month = greatest(c.month, current_month)
    from unnest(workspaces, keywords, added, latest, months, caps) with ordinality as t (workspace_id, keyword_id, added, latest, month, cap, place)
    where c.workspace_id = t.workspace_id and c.keyword_id = t.keyword_id and c.month = t.month
      and (t.cap is null or case when c.month >= current_month then c.month_mentions else 0 end + t.added <= t.cap)
    returning t.place, c.month_mentions)
  select array_agg(month_mentions order by place) into counts from moved;
  if cardinality(counts) is distinct from cardinality(keywords) then
    return null;
  end if;

  -- A statement of its own: the one before may have waited for a counter, and sees the keyword as it was before the wait. Whoever
  -- changes the running state or the limit of a keyword holds its counter, so a statement that begins now sees what counts.
  if exists (
    select from unnest(workspaces, keywords, caps_own, limited, paused) as t (workspace_id, keyword_id, cap_own, limited, paused)
    where not exists (
      select from keyword k join workspace w on w.id = k.workspace_id
      where k.workspace_id = t.workspace_id and k.id = t.keyword_id and not k.muted and k.paused_for_cap = t.paused and k.cap_own is not distinct from t.cap_own
        and (not metered or w.welcome_limits = t.limited)))
  then
    return null;
  end if;

  insert into usage_day as u (workspace_id, day, keyword_id, platform, matched)
  select workspace_id, day, keyword_id, platform, matched
  from unnest(usage_workspaces, usage_days, usage_keywords, usage_platforms, usage_matched) as t (workspace_id, day, keyword_id, platform, matched)
  on conflict (workspace_id, day, keyword_id, platform) do update set matched = u.matched + excluded.matched;

  insert into keyword_recent as r (workspace_id, keyword_id, day, published_1, published_2, published_3, published_4)
  select workspace_id, keyword_id, day, published_1, published_2, published_3, published_4
  from unnest(recent_workspaces, recent_keywords, recent_days, quarters_1, quarters_2, quarters_3, quarters_4)
    as t (workspace_id, keyword_id, day, published_1, published_2, published_3, published_4)
  on conflict (workspace_id, keyword_id, day) do update set published_1 = r.published_1 + excluded.published_1, published_2 = r.published_2 + excluded.published_2,
    published_3 = r.published_3 + excluded.published_3, published_4 = r.published_4 + excluded.published_4;

  return counts;
end $$;

update keyword_counter c set last_mention_at = m.latest
from keyword_counter own left join (select workspace_id, keyword_id, max(published_at) as latest from mention group by workspace_id, keyword_id) m
  on m.workspace_id = own.workspace_id and m.keyword_id = own.keyword_id
where c.workspace_id = own.workspace_id and c.keyword_id = own.keyword_id and c.last_mention_at is distinct from m.latest;
