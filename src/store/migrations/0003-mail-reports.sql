-- An id for the interface. The default serves a build that does not name the column.
alter table email_suppression add column id uuid not null default gen_random_uuid();
create unique index email_suppression_by_id on email_suppression (id);

-- Signed messages of mail providers, for as long as they may be repeated: each counts once. `content` is the hash of
-- what the message said.
create table mail_report (
  provider text not null,
  message bytea not null,
  content bytea not null,
  taken_at timestamptz not null,
  primary key (provider, message)
);
create index mail_report_age on mail_report (taken_at);
