-- A mention is written once more when it is scored. Where the page has room for the new version no index is touched; in
-- full pages every second score wrote all entries of the mention again, those of its words included. Holds for new pages.
do $$
begin
  for remainder in 0..15 loop
    execute format('alter table mention_%s set (fillfactor = 55)', remainder);
  end loop;
end $$;

-- The same for counters and for the usage of the day, which are written again with every batch.
alter table keyword_counter set (fillfactor = 50);
alter table usage_day set (fillfactor = 70);

-- The check behind this key locked the row of the workspace for each new row of usage, so every batch wrote to the row of
-- every large workspace. Usage is only ever made for a keyword, whose own keys lead to the workspace; whoever removes a
-- workspace has to remove its usage.
alter table usage_day drop constraint usage_day_workspace_id_fkey;

-- From here on every process has to be of this version: an older one makes and asks for hashes of the form before, and would
-- store mentions that nobody finds. Stop the older ones before this runs.
-- The hashes of a workspace's facets begin with the end of its id, so that they stand close together in their index.
-- With the index in place each row would be taken out of it and put in again, word by word: making it anew is far quicker.
drop index mention_facets;
update mention set facets = array(
  select ((('x' || right(workspace_id::text, 6))::bit(24)::bigint << 40) | (facet & 1099511627775)) from unnest(facets) as facet);
create index mention_facets on mention using gin (facets);
