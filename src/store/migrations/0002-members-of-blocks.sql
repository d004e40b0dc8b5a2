-- How many mentions a block has, so that its sets can be counted. Until a summary is computed again it says more than a
-- set holds, which is to say that its sets are not to be counted.
alter table mention_block add column members smallint not null default 257;
update mention_block set stale = true where not stale;
