-- For lists of people by name: a person is named as their first account is, which gives them their id. Names are written by anybody, so that
-- only their beginning is in order.
create index account_by_name on account (workspace_id, (lower(left(coalesce(name, handle), 100))), id) where person_id = id;
