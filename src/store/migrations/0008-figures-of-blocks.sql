-- What analytics add up, for every mention of a block by its position: bytes of a fixed width for each mention. Kept out
-- of the summaries, which lists read and every change of a mention rewrites.
create table mention_block_figures (
  workspace_id uuid not null,
  last_id uuid not null,
  -- Minutes since 1970.
  published bytea not null,
  -- Whether relevant, whether scored, whether a reply, the sentiment, and whether triage has closed it.
  marks bytea not null,
  platforms bytea not null,
  intents bytea not null,
  -- Null where a language has more than four letters.
  languages bytea,
  -- The last four bytes of the keyword's id, and the last eight of the account's.
  keywords bytea not null,
  accounts bytea not null,
  -- Two, four or eight bytes a mention, by the largest.
  followers bytea not null,
  engagement bytea not null,
  -- The ends of snoozes; null without any.
  snoozes bytea,
  primary key (workspace_id, last_id),
  foreign key (workspace_id, last_id) references mention_block (workspace_id, last_id) on delete cascade
) with (toast_tuple_target = 8160);
-- Compressed, they would take longer to read.
alter table mention_block_figures
  alter published set storage external, alter marks set storage external, alter platforms set storage external,
  alter intents set storage external, alter languages set storage external, alter keywords set storage external,
  alter accounts set storage external, alter followers set storage external, alter engagement set storage external,
  alter snoozes set storage external;

-- Whether the figures of a block are of its mentions as they are now. A trigger, because a former build that marks a
-- block as stale and sums it up again does not know its figures.
alter table mention_block add column figured boolean not null default false;
create index mention_block_unfigured on mention_block (workspace_id, last_id) where not figured;
create function forget_figures()
 returns trigger
 language plpgsql
as $$
begin
  new.figured := false;
  return new;
end $$;
create trigger mention_block_stale before update of stale on mention_block for each row when (new.stale)
  execute function forget_figures();
