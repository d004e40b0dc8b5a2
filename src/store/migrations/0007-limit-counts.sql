-- What limits of rare requests were granted lately. A crash of the server empties the table, which frees each limit once.
create unlogged table limit_count (
  -- SHA-256 of the limit and of whom it counts: text of callers has any length.
  key bytea not null,
  granted_at timestamptz[] not null,
  -- When none of them counts any more.
  ends_at timestamptz not null,
  primary key (key)
) with (fillfactor = 70);
