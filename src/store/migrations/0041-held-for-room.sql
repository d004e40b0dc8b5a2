-- What the data of an event or a digest is stored as keeps the order of its keys, in which receivers are promised it.
alter table delivery alter column data type json using data::json;

-- Why a delivery is held, where it goes on by itself when there is room again; null where somebody has to put something right first.
alter table delivery_held add column waits_for text check (waits_for in ('email_hourly_limit', 'waiting_limit'));
update delivery_held h set waits_for = d.error from delivery d where d.workspace_id = h.workspace_id and d.id = h.delivery_id and d.error = 'email_hourly_limit';
create index delivery_held_by_room on delivery_held (waits_for, workspace_id, channel_id, delivery_id) where waits_for is not null;

-- Mails that an address had of a workspace within the hour, through whichever channels.
create index email_receipt_by_address on email_receipt (workspace_id, email, created_at);
