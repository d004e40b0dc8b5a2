-- What recent days brought to a keyword, counted where it happens, so that nobody has to look at mentions to tell it. Days are
-- those of UTC, and only those of the last two weeks and to come are of use. No key leads to the keyword: its check would
-- lock the keyword for each new row. Whoever removes a keyword removes its days.
create table keyword_recent (
  workspace_id uuid not null,
  keyword_id uuid not null,
  day date not null,
  -- Matches whose posts were published on this day: in its first six hours, and in those that follow.
  published_1 integer not null default 0,
  published_2 integer not null default 0,
  published_3 integer not null default 0,
  published_4 integer not null default 0,
  -- Matches that were made on this day and have a relevance by now, and those of them that are relevant.
  scored integer not null default 0,
  relevant integer not null default 0,
  -- The same, of matches made since the keyword was last judged anew (keyword.judged_since).
  judged_scored integer not null default 0,
  judged_relevant integer not null default 0,
  primary key (workspace_id, keyword_id, day)
) with (fillfactor = 70);
create index keyword_recent_by_age on keyword_recent (day);

insert into keyword_recent (workspace_id, keyword_id, day, published_1, published_2, published_3, published_4, scored, relevant, judged_scored, judged_relevant)
select workspace_id, keyword_id, day, sum(published_1), sum(published_2), sum(published_3), sum(published_4), sum(scored), sum(relevant), sum(judged_scored), sum(judged_relevant)
from (
  select workspace_id, keyword_id, (published_at at time zone 'UTC')::date as day, (extract(hour from published_at at time zone 'UTC') < 6)::int as published_1,
    (extract(hour from published_at at time zone 'UTC') between 6 and 11)::int as published_2, (extract(hour from published_at at time zone 'UTC') between 12 and 17)::int as published_3,
    (extract(hour from published_at at time zone 'UTC') >= 18)::int as published_4, 0 as scored, 0 as relevant, 0 as judged_scored, 0 as judged_relevant
  from mention where published_at > now() - interval '16 days'
  union all
  select m.workspace_id, m.keyword_id, (m.created_at at time zone 'UTC')::date, 0, 0, 0, 0, 1, (m.relevance >= 40)::int, (m.created_at >= k.judged_since)::int,
    (m.created_at >= k.judged_since and m.relevance >= 40)::int
  from mention m join keyword k on k.workspace_id = m.workspace_id and k.id = m.keyword_id
  where m.created_at > now() - interval '16 days' and m.relevance is not null) moves
group by workspace_id, keyword_id, day;

-- Posts that were removed from their platform used to stay in these counts.
update keyword_counter c set mentions = coalesce(m.mentions, 0), relevant = coalesce(m.relevant, 0)
from keyword_counter own left join (
  select workspace_id, keyword_id, count(*) as mentions, count(*) filter (where relevance >= 40) as relevant from mention group by workspace_id, keyword_id) m
  on m.workspace_id = own.workspace_id and m.keyword_id = own.keyword_id
where c.workspace_id = own.workspace_id and c.keyword_id = own.keyword_id and (c.mentions, c.relevant) is distinct from (coalesce(m.mentions, 0), coalesce(m.relevant, 0));

-- What was charged for the mentions of one calendar month (UTC), by the days of usage_day; in another month it is nought.
alter table keyword_counter
  add column cost_month date,
  add column month_billable integer not null default 0,
  add column month_units bigint not null default 0;
update keyword_counter c set cost_month = u.month, month_billable = u.billable, month_units = u.units
from (
  select distinct on (workspace_id, keyword_id) workspace_id, keyword_id, date_trunc('month', day)::date as month, sum(billable) as billable, sum(mention_units) as units
  from usage_day where day >= date_trunc('month', now() at time zone 'UTC') group by 1, 2, 3 order by 1, 2, 3 desc) u
where c.workspace_id = u.workspace_id and c.keyword_id = u.keyword_id;
