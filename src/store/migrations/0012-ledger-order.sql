-- The order in which entries were booked. Their ids and times come from whoever books, who may have waited for another
-- process by then: only in this order do the balances of a ledger follow from each other. A number is taken with the
-- workspace locked, so those of one workspace only ever grow.
alter table ledger_entry add column place bigint;
alter table ledger_entry disable trigger ledger_entry_stays;
update ledger_entry e set place = t.place
from (select workspace_id, id, row_number() over (order by created_at, id) as place from ledger_entry) t
where e.workspace_id = t.workspace_id and e.id = t.id;
alter table ledger_entry enable trigger ledger_entry_stays;
alter table ledger_entry alter column place set not null;
alter table ledger_entry alter column place add generated always as identity;
select setval(pg_get_serial_sequence('ledger_entry', 'place'), (select coalesce(max(place), 0) + 1 from ledger_entry), false);
create unique index ledger_entry_place on ledger_entry (workspace_id, place);
