-- Blocks also say which relevances their mentions have, whether some were delivered, and whether scoring some has failed: lists by relevance, and
-- for what is rare of these, pass over the others. Until a block is summed up anew it promises all of them.
alter table mention_block
  -- A bit for each relevance that is there.
  add column relevances bit(101) not null default ~B'0'::bit(101),
  add column delivered boolean not null default true,
  add column failed boolean not null default true;
update mention_block set stale = true where not stale;
