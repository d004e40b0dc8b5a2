-- What waits for room goes back into the queue by age, the oldest of a workspace first.
create index delivery_held_by_age on delivery_held (workspace_id, delivery_id) where waits_for = 'waiting_limit';
