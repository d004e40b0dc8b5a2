-- What mail through channels needs beside their settings. Addresses stand here folded, in the form in which two are the same.

-- No channel of this installation writes to these any more: they bounced for good, or their reader reported spam.
create table email_suppression (
  email text primary key,
  reason text not null check (reason in ('bounce', 'complaint')),
  created_at timestamptz not null
);

-- Who unsubscribed from a channel of a workspace. Until they confirm again no channel of it writes to them but those that they
-- had joined besides, also when they are members. When they did is kept also then: links to confirm from before stay worthless.
create table email_opt_out (
  workspace_id uuid not null references workspace on delete cascade,
  email text not null,
  created_at timestamptz not null,
  -- When they confirmed anew.
  ended_at timestamptz,
  primary key (workspace_id, email)
);

-- Confirmations that were asked for by mail a short while ago: nobody is flooded, and no workspace writes to strangers without end.
create table confirmation_mail (
  workspace_id uuid not null,
  id uuid not null,
  mailbox text not null,
  -- Until when it counts.
  expires_at timestamptz not null,
  primary key (workspace_id, id)
);
create index confirmation_mail_mailbox on confirmation_mail (mailbox, expires_at);
create index confirmation_mail_expiry on confirmation_mail (expires_at);

-- What became of a delivery at each of its recipients, for as long as it may be retried, so that nobody gets it twice.
create table email_receipt (
  workspace_id uuid not null,
  delivery_id uuid not null,
  email text not null,
  state text not null check (state in ('sending', 'accepted', 'refused')),
  -- While it is being sent nobody else sends it; the mark of a process that died ends then.
  leased_until timestamptz,
  created_at timestamptz not null,
  primary key (workspace_id, delivery_id, email)
);
create index email_receipt_by_age on email_receipt (created_at);

-- Mentions and tests that a channel has mailed within the hour, which are limited. Whatever is replayed counts as a mention.
create table email_sent (
  workspace_id uuid not null,
  channel_id uuid not null,
  kind text not null check (kind in ('mention', 'test')),
  delivery_id uuid not null,
  sent_at timestamptz not null,
  primary key (workspace_id, channel_id, kind, delivery_id)
);
create index email_sent_by_age on email_sent (sent_at);
