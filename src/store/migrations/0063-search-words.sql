-- The distinct words of stored mentions, so that a search for the beginning of a word knows which words it asks for. They are kept on
-- sixteen shelves, by the workspace, and not by workspace: what a workspace says is mostly said by others too, and a row for each of its
-- words would cost storing more than the words do. A search looks the words up among its own mentions only. Without a unique key nobody
-- waits for another who stores the same new word; the few that stand twice do no harm.
create table search_word (
  shelf smallint not null,
  word text collate "C" not null
);
create index search_word_order on search_word (shelf, word);

-- Workspaces with mentions that are still found by their words as they were written, accents included, and the mention before which those
-- are. A job makes the words of these anew, from the newest on.
create table words_to_renew (
  workspace_id uuid primary key references workspace on delete cascade,
  before_id uuid not null
);
insert into words_to_renew
select id, 'ffffffff-ffff-ffff-ffff-ffffffffffff' from workspace w where exists (select from mention m where m.workspace_id = w.id);

-- The mentions of a workspace that have one of these facets, or a facet and one of these common words. A few facets at a time: the index
-- goes over all that it is asked for with each mention that it finds. By the index in any case, as in blocks_with_facets.
create function mentions_saying(of_workspace uuid, wanted bigint[], common bigint, common_bits integer) returns uuid[]
language sql stable set enable_seqscan = off as $$
  select coalesce(array_agg(distinct said.id), '{}') from (
    select found.id from generate_series(1, cardinality(wanted), 32) part (at)
    cross join lateral (select id from mention where workspace_id = of_workspace and facets && wanted[part.at:part.at + 31] offset 0) found
    union all
    select id from mention where common_bits <> 0 and workspace_id = of_workspace and facets @> array[common] and (common_words & common_bits) <> 0
  ) said
$$;
