-- Workspaces that another cell hands over to this one, from the copy to the end of the handover.
create table arrival (
  id uuid not null,
  primary key (id),
  foreign key (id) references workspace (id) on delete cascade
);

-- Posts that this cell was told to be gone meanwhile, in case the other one still brings them.
create table removed_meanwhile (
  arrival_id uuid not null,
  post_id uuid not null,
  primary key (arrival_id, post_id)
);
