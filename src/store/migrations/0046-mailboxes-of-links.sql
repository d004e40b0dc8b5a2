-- Links that are mailed are counted by where their mails end up: every spelling of an address is one mailbox. A link that
-- the operator made is mailed to nobody, and has none.
alter table email_link add column mailbox text;
update email_link set mailbox = lower(email) where mailed;
create index email_link_mailbox on email_link (mailbox);
