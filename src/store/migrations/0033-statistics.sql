-- The planner's statistics of mentions and posts are taken anew once a quarter of the rows has come or changed. The words of mentions
-- make them dear: two seconds of a core for a partition of half a million rows. At a tenth, the usual share, which is a twentieth of new
-- mentions, since each is written again with its score, a store that takes in thousands a second spent a fifth of a core on nothing else.
do $$
begin
  for remainder in 0..15 loop
    execute format('alter table mention_%s set (autovacuum_analyze_scale_factor = 0.25)', remainder);
  end loop;
end $$;
alter table post set (autovacuum_analyze_scale_factor = 0.25);
