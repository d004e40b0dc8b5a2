-- The token in the address of a feed is derived from the secret key, the view and this version of its address, and is kept nowhere.
alter table saved_view add column feed_version integer not null default 1;
-- Of an address from before only its hash is left, by which it goes on working until the address is renewed.
alter table saved_view add column feed_hash bytea;
update saved_view set feed_hash = sha256(convert_to(feed_token, 'UTF8'));
alter table saved_view drop column feed_token;
