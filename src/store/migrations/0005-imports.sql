-- True while rows of an archive still arrive. The job that removes workspaces removes an import that stopped, at
-- `deletes_at`, which each portion puts off.
alter table workspace add column importing boolean not null default false;
