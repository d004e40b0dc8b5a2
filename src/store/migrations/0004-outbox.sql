-- The log of deliveries. Each row is written, and changed once or twice soon after: room on its page keeps the change from
-- touching any index.
alter table delivery set (fillfactor = 70);
-- Whoever writes deliveries down holds the channel, and whoever removes a channel removes its log: a check of every row by
-- the database would do the same work again.
alter table delivery drop constraint delivery_workspace_id_channel_id_fkey;
-- What is old is found workspace by workspace in the primary key.
drop index delivery_by_age;

-- What waits to be sent comes and goes within milliseconds, and what has gone stays in tables and indexes for as long as any
-- snapshot is open anywhere. So it stands in parts, one of which takes what is new; a part that has emptied is truncated.
create table delivery_era (
  era smallint primary key,
  -- Takes what is new.
  current boolean not null,
  -- May hold rows. What nobody reads any more waits to be truncated.
  open boolean not null
);
create unique index delivery_era_current on delivery_era (current) where current;
insert into delivery_era select era, era = 0, era = 0 from generate_series(0, 3) era;

create function current_delivery_era() returns smallint language sql stable as 'select era from delivery_era where current';

alter table delivery_queue rename to delivery_queue_before;
alter table delivery_queue_before rename constraint delivery_queue_pkey to delivery_queue_before_pkey;
drop index delivery_queue_due;
drop index delivery_queue_turns;

create table delivery_queue (
  workspace_id uuid not null,
  delivery_id uuid not null,
  channel_id uuid not null,
  due_at timestamptz not null,
  -- Until then the process that has it in hand is the only one that sends it; null while nobody has.
  leased_until timestamptz,
  era smallint not null default current_delivery_era(),
  primary key (workspace_id, delivery_id, era)
) partition by list (era);
-- Truncating tidies up here. What the server would note on its rounds, mostly that there is nothing, would make it plan for
-- an empty table when the table is full; without any note it goes by the size.
create table delivery_queue_0 partition of delivery_queue for values in (0) with (autovacuum_enabled = false);
create table delivery_queue_1 partition of delivery_queue for values in (1) with (autovacuum_enabled = false);
create table delivery_queue_2 partition of delivery_queue for values in (2) with (autovacuum_enabled = false);
create table delivery_queue_3 partition of delivery_queue for values in (3) with (autovacuum_enabled = false);
-- What nobody has in hand is claimed by turns of the channels: each channel's own row of deliveries, oldest first.
create index delivery_queue_turns on delivery_queue (channel_id, due_at) where leased_until is null;
create index delivery_queue_due on delivery_queue (due_at) where leased_until is null;
create index delivery_queue_leased on delivery_queue (leased_until) where leased_until is not null;

insert into delivery_queue (workspace_id, delivery_id, channel_id, due_at, leased_until)
select workspace_id, delivery_id, channel_id, due_at, leased_until from delivery_queue_before;
drop table delivery_queue_before;

-- Held deliveries have no place in the queue. They are rare, and whoever switches a channel off looks for them here: an index
-- of the log by status would make every result of an attempt touch the indexes of the log. A row may outlive what it names.
create table delivery_held (
  workspace_id uuid not null,
  channel_id uuid not null,
  delivery_id uuid not null,
  primary key (workspace_id, channel_id, delivery_id)
);
insert into delivery_held (workspace_id, channel_id, delivery_id) select workspace_id, channel_id, id from delivery where status = 'held';
