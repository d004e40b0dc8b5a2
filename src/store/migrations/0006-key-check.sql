-- A sample that was sealed with the key of this database, so that every process can tell at its start whether it has that
-- key, also while there is no secret yet. Written by the first process that starts; one row at most.
create table key_check (
  one boolean primary key default true check (one),
  sealed text not null
);
