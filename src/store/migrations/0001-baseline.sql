-- The schema, a section for each noun. Every table of a workspace has workspace_id first in its primary key and in
-- every unique index: that separates tenants, and lets the database be sharded by workspace. docs/generated/schema.sql
-- lists what the database contains.

-- Workspaces
-- ----------

create table workspace (
  id uuid not null,
  name text not null,
  created_at timestamptz not null,
  -- The ledger's balance in thirtieths of a cent; equals the balance of the last ledger entry.
  balance_units bigint not null default 0,
  last_credit_units bigint not null default 0,
  last_top_up_at timestamptz,
  -- True until the first top-up: keywords are limited to 200 mentions a month.
  welcome_limits boolean not null default true,
  -- Mentions scored after this day are pending: in the effective balance, not yet in the ledger.
  settled_through date not null,
  -- True from the notice of a low balance until the next credit.
  low_told boolean not null default false,
  -- The time of a scheduled deletion; until then nothing is collected, scored, sent or charged.
  deletes_at timestamptz,
  -- What the scheduled deletion stopped and a restore starts again.
  stopped_keywords uuid[] not null default '{}',
  stopped_channels uuid[] not null default '{}',
  primary key (id)
);
-- For the daily run, which settles the day before.
create index workspace_settled on workspace (settled_through, id);
-- For the job that removes them.
create index workspace_deletes_at on workspace (deletes_at) where deletes_at is not null;

-- Workspaces that a process follows, and which of their changes: others are not notified. A process keeps its rows while
-- it serves streams; those of a dead process expire.
create table workspace_follower (
  workspace_id uuid not null,
  process_id uuid not null,
  topics text[] not null,
  until timestamptz not null,
  primary key (workspace_id, process_id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);

-- Rules for all keywords of a workspace. A workspace without a row has none.
create table workspace_filters (
  workspace_id uuid not null,
  excluded_terms text[] not null default '{}',
  -- As callers wrote them, because only that text tells handles apart; the keys are the normal forms that are compared.
  excluded_authors text[] not null default '{}',
  excluded_author_keys text[] not null default '{}',
  excluded_repos text[] not null default '{}',
  subreddits_only text[] not null default '{}',
  subreddits_excluded text[] not null default '{}',
  -- The revision also rises when an author's normal form changes, which callers do not see.
  version integer not null default 1,
  revision integer not null default 1,
  updated_at timestamptz not null,
  primary key (workspace_id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);
create index workspace_filters_excluding on workspace_filters using gin (excluded_author_keys)
  where excluded_author_keys <> '{}';
-- For index-only scans by followers of all filters, who check whether anything changed.
create index workspace_filters_followed on workspace_filters (workspace_id, revision);

-- Results of requests with a requestId, kept for a day.
create table request_answer (
  workspace_id uuid not null,
  operation text not null,
  request_id uuid not null,
  body_hash bytea not null,
  created_at timestamptz not null,
  answer_sealed text not null default '',
  primary key (workspace_id, operation, request_id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);
create index request_answer_age on request_answer (created_at);

-- What the classifier knows of a workspace's company. A workspace without a row has described none.
create table company (
  workspace_id uuid not null,
  name text not null default '',
  description text not null default '',
  use_cases text[] not null default '{}',
  competitors text[] not null default '{}',
  -- Profile links.
  account_x text,
  account_linkedin text,
  website text,
  guidelines text not null default '',
  -- Written by the team for the classifier; null while `context` is composed from the other columns.
  own_context text,
  -- What the classifier reads.
  context text not null default '',
  version integer not null default 1,
  updated_at timestamptz not null,
  primary key (workspace_id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);

-- The append-only security log. Names are those of the time, because their owners may be gone. Old entries are deleted.
create table audit_entry (
  workspace_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  kind text not null,
  actor_kind text not null,
  -- Of a person or an API key.
  actor_id uuid,
  actor_name text,
  actor_email text,
  -- The app through which a person acted.
  client_id text,
  client_name text,
  -- The public id.
  target_id text,
  target_name text,
  data jsonb not null,
  address text,
  request_id text,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade,
  check (actor_kind in ('person', 'api_key', 'operator', 'provider', 'service', 'unknown'))
);
create index audit_entry_by_actor on audit_entry (workspace_id, actor_kind, actor_id, id desc);
create index audit_entry_by_age on audit_entry (at);
-- For filters by a rare kind, which would scan the whole log.
create index audit_entry_by_kind on audit_entry (workspace_id, kind, id desc);

-- Notices for mails to owners, recorded with the event and deleted once the mail is queued. Notices about capped
-- keywords stay a day longer, while the next ones are collected.
create table owner_notice (
  workspace_id uuid not null,
  id uuid not null,
  event text not null,
  data json not null,
  created_at timestamptz not null,
  mailed_at timestamptz,
  primary key (workspace_id, id),
  check (event in ('keyword.capped', 'wallet.low', 'wallet.paused'))
);
create index owner_notice_by_age on owner_notice (created_at);
create index owner_notice_mailed on owner_notice (mailed_at) where mailed_at is not null;
create index owner_notice_waiting on owner_notice (workspace_id, id) where mailed_at is null;

-- Accounts, sessions and members
-- ------------------------------

create table user_account (
  id uuid not null,
  -- As the person wrote it; unique when folded.
  email text not null,
  email_folded text not null,
  name text not null,
  -- Argon2id in PHC format; null when the person signs in only by link or provider.
  password_hash text,
  -- Null until the person has confirmed the address.
  email_confirmed_at timestamptz,
  -- When a workspace of this person got the welcome credit, which each person gets once.
  credited_at timestamptz,
  -- Of the dashboard; null follows the browser.
  language text,
  created_at timestamptz not null,
  primary key (id),
  unique (email_folded),
  check (language in ('en', 'de'))
);

-- A person's account at a provider. A provider may reassign an e-mail address, but never a subject.
create table user_identity (
  provider text not null,
  subject text not null,
  user_id uuid not null,
  created_at timestamptz not null,
  primary key (provider, subject),
  foreign key (user_id) references user_account (id) on delete cascade,
  check (provider in ('google', 'github'))
);
create index user_identity_of on user_identity (user_id);

-- Followers of a workspace check their access again when a key, grant, session or membership ends: in every process,
-- whatever statement ended it. The notification is that of changes, without topic and ids.
create or replace function tell_access_changed()
 returns trigger
 language plpgsql
as $$
begin
  perform pg_notify('earshot_changes', old.workspace_id::text)
    where exists (select from workspace_follower f where f.workspace_id = old.workspace_id);
  return null;
end $$;

create table membership (
  workspace_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  role text not null,
  joined_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (user_id) references user_account (id) on delete cascade,
  foreign key (workspace_id) references workspace (id) on delete cascade,
  check (role in ('owner', 'admin', 'member'))
);
create index membership_of on membership (user_id);
create unique index membership_user on membership (workspace_id, user_id);
create trigger membership_changed after update of role on membership for each row when ((old.role is distinct
  from new.role)) execute function tell_access_changed();
create trigger membership_gone after delete on membership for each row execute function tell_access_changed();

-- Deleted when accepted or withdrawn. The link contains sealed data; nothing of it is stored.
create table invitation (
  workspace_id uuid not null,
  id uuid not null,
  email text not null,
  email_folded text not null,
  -- Only the operator invites owners.
  role text not null,
  -- True when the link was mailed: opening it then confirms the address, and the link is shown to nobody else.
  mailed boolean not null default false,
  -- Null when the operator invited, or the inviter is gone.
  invited_by uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  grant_id uuid,
  primary key (workspace_id, id),
  foreign key (invited_by) references user_account (id) on delete set null,
  foreign key (workspace_id) references workspace (id) on delete cascade,
  check (role in ('owner', 'admin', 'member'))
);
create unique index invitation_email on invitation (workspace_id, email_folded);
create index invitation_of_grant on invitation (workspace_id, grant_id) where grant_id is not null;

-- Recent invitation mails by mailbox, over all workspaces and withdrawn invitations, for the limit that prevents
-- flooding.
create table invitation_mail (
  id uuid not null,
  mailbox text not null,
  expires_at timestamptz not null,
  primary key (id)
);
create index invitation_mail_expiry on invitation_mail (expires_at);
create index invitation_mail_mailbox on invitation_mail (mailbox, expires_at);

-- A signed-in browser. Stores only the cookie's SHA-256, as of every secret below.
create table user_session (
  hash bytea not null,
  user_id uuid not null,
  -- The chosen workspace; null before there is one.
  workspace_id uuid,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (hash),
  foreign key (user_id) references user_account (id) on delete cascade,
  foreign key (workspace_id) references workspace (id) on delete set null
);
create index user_session_expiry on user_session (expires_at);
create index user_session_of on user_session (user_id);
create trigger user_session_gone after delete on user_session for each row execute function tell_access_changed();
create trigger user_session_moved after update of workspace_id on user_session for each row
  when ((old.workspace_id is distinct from new.workspace_id)) execute function tell_access_changed();

-- One-time links of e-mails. Deleted when used.
create table email_link (
  hash bytea not null,
  purpose text not null,
  email text not null,
  -- Null for a sign-up, which has no account yet.
  user_id uuid,
  -- False for the operator's links: opening one does not confirm the address.
  mailed boolean not null default true,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Limits count by mailbox, because an address has several spellings. Null for the operator's links, which are not
  -- mailed.
  mailbox text,
  primary key (hash),
  foreign key (user_id) references user_account (id) on delete cascade,
  check (purpose in ('sign_up', 'sign_in', 'reset'))
);
create index email_link_address on email_link (lower(email));
create index email_link_expiry on email_link (expires_at);
create index email_link_mailbox on email_link (mailbox);
create index email_link_of on email_link (user_id);

-- Account e-mails to be sent; deleted when sent. Sealed, because they contain links.
create table account_mail (
  id uuid not null,
  -- The invitation in the mail, which goes when that is withdrawn; null for other mails.
  about uuid,
  sealed text not null,
  attempts integer not null default 0,
  -- Attempts after which the server had the whole mail and did not confirm it: the mail may have arrived.
  unanswered integer not null default 0,
  -- True once a mail that the present key cannot open has been reported.
  unopened boolean not null default false,
  due_at timestamptz not null,
  -- The mail is useless after this.
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (id)
);
create index account_mail_about on account_mail (about) where about is not null;
create index account_mail_due on account_mail (due_at);

-- Keys and apps
-- -------------

-- Looked up by the hash of the caller's key, before the workspace is known; hence no workspace_id in the primary key.
create table api_key (
  hash bytea not null,
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  prefix text not null,
  scope text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- The app's grant under which a key, invitation or channel was made, so that a key ends with it and the others can be
  -- named. Old grants are deleted, and what was made under them keeps their id.
  grant_id uuid,
  primary key (hash),
  foreign key (workspace_id) references workspace (id) on delete cascade,
  check (scope in ('read', 'write'))
);
create unique index api_key_by_id on api_key (workspace_id, id);
create index api_key_of_grant on api_key (workspace_id, grant_id) where ((grant_id is not null)
  and (revoked_at is null));
-- For deleting old revoked keys.
create index api_key_revoked on api_key (revoked_at) where revoked_at is not null;
create trigger api_key_ended after update of revoked_at on api_key for each row when (((old.revoked_at is null)
  and (new.revoked_at is not null))) execute function tell_access_changed();
create trigger api_key_gone after delete on api_key for each row execute function tell_access_changed();

-- A sample sealed with the installation's key, by which a process checks its key at the start, even before any secret
-- exists. The first process writes it; one row at most.
create table key_check (
  one boolean not null default true,
  sealed text not null,
  primary key (one),
  check (one)
);

-- OAuth clients: registered here, or described by a document at the address that is their id.
create table oauth_client (
  id text not null,
  name text not null,
  redirect_uris text[] not null,
  home_url text,
  auth_method text not null,
  -- Public keys or their address, in the form of src/domain/oauth/client-keys.ts; null for a client that does not sign.
  keys jsonb,
  secret_hash bytea,
  -- Until when the document is fresh; null for a registered client.
  fresh_until timestamptz,
  created_at timestamptz not null,
  -- Until when the client is kept without a grant.
  kept_until timestamptz not null,
  primary key (id),
  check (auth_method in ('none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'))
);
create index oauth_client_kept on oauth_client (kept_until);

-- Used client assertions by the hash of their id: an assertion is valid once.
create table oauth_assertion (
  client_id text not null,
  hash bytea not null,
  expires_at timestamptz not null,
  primary key (client_id, hash),
  foreign key (client_id) references oauth_client (id) on delete cascade
);
create index oauth_assertion_expiry on oauth_assertion (expires_at);

-- What a person allowed a client in one workspace. Tokens act within the role that the person has when they are used.
create table oauth_grant (
  workspace_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  client_id text not null,
  scope text not null,
  -- The audience of the tokens: the tool server's address at that time.
  resource text not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (workspace_id, id),
  foreign key (client_id) references oauth_client (id) on delete cascade,
  foreign key (user_id) references user_account (id) on delete cascade,
  foreign key (workspace_id) references workspace (id) on delete cascade,
  check (scope in ('read', 'write'))
);
create index oauth_grant_client on oauth_grant (client_id);
create index oauth_grant_of on oauth_grant (user_id);
create trigger oauth_grant_ended after update of revoked_at on oauth_grant for each row when (((old.revoked_at is null)
  and (new.revoked_at is not null))) execute function tell_access_changed();

create table oauth_code (
  hash bytea not null,
  workspace_id uuid not null,
  grant_id uuid not null,
  redirect_uri text not null,
  -- The S256 challenge of PKCE.
  challenge text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (hash),
  foreign key (workspace_id, grant_id) references oauth_grant (workspace_id, id) on delete cascade
);
create index oauth_code_expiry on oauth_code (expires_at);
create index oauth_code_of on oauth_code (workspace_id, grant_id);

create table oauth_token (
  hash bytea not null,
  kind text not null,
  workspace_id uuid not null,
  grant_id uuid not null,
  scope text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When a refresh token was exchanged: a second use means that it was stolen.
  used_at timestamptz,
  -- The hash of the previous refresh token; null for the first of a grant.
  replaces bytea,
  primary key (hash),
  foreign key (workspace_id, grant_id) references oauth_grant (workspace_id, id) on delete cascade,
  check (kind in ('access', 'refresh')),
  check (scope in ('read', 'write'))
);
create index oauth_token_expiry on oauth_token (expires_at);
create index oauth_token_of on oauth_token (workspace_id, grant_id);

-- Wallet
-- ------

-- Ledger entries never change: a mistake is corrected by another entry. They are deleted only with their workspace.
create or replace function refuse_ledger_change()
 returns trigger
 language plpgsql
as $$
begin
  if tg_op = 'DELETE' then
    if not exists (select from workspace where id = old.workspace_id) then
      return old;
    end if;
  end if;
  raise exception 'the ledger is append-only: % of % is refused', lower(tg_op), tg_table_name using errcode =
    'restrict_violation';
end $$;

create table ledger_entry (
  workspace_id uuid not null,
  id uuid not null,
  kind text not null,
  amount_units bigint not null,
  balance_units bigint not null,
  day date,
  units integer,
  note text,
  created_at timestamptz not null,
  -- Idempotency key: an entry is booked at most once under it.
  key text not null,
  -- The order of booking, in which each balance follows from the one before. Ids and times may be in another order,
  -- because a process may wait for another. The number is taken under the workspace's lock, so it only grows.
  place bigint not null generated always as identity,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade,
  check (kind in ('signup_credit', 'topup', 'auto_recharge', 'refund', 'dispute', 'debit_keyword_days',
    'debit_mentions', 'grant', 'adjustment'))
);
create unique index ledger_entry_key on ledger_entry (workspace_id, key);
create unique index ledger_entry_place on ledger_entry (workspace_id, place);
create trigger ledger_entry_is_kept before truncate on ledger_entry for each statement
  execute function refuse_ledger_change();
create trigger ledger_entry_stays before delete or update on ledger_entry for each row
  execute function refuse_ledger_change();

-- Double entry: the postings of an entry, to the wallet and another account, add up to zero.
create table ledger_posting (
  workspace_id uuid not null,
  entry_id uuid not null,
  account text not null,
  amount_units bigint not null,
  primary key (workspace_id, entry_id, account),
  foreign key (workspace_id, entry_id) references ledger_entry (workspace_id, id) on delete cascade,
  check (account in ('wallet', 'revenue', 'credit', 'payment'))
);
create trigger ledger_posting_is_kept before truncate on ledger_posting for each statement
  execute function refuse_ledger_change();
create trigger ledger_posting_stays before delete or update on ledger_posting for each row
  execute function refuse_ledger_change();

-- Workspaces charged since the last balance check, a row for each batch: a charge that commits after the check has its
-- own row. The check deletes what it read. Rows may outlive their workspace.
create table wallet_spent (
  workspace_id uuid not null,
  id bigint not null generated always as identity,
  primary key (workspace_id, id)
);

-- How a workspace pays; created when first needed.
create table billing_profile (
  workspace_id uuid not null,
  -- The payment provider's customer; null before the first top-up.
  customer_id text,
  -- What may be charged without the person; null until a top-up was paid. The instant is that payment's.
  payment_method_id text,
  payment_method_at timestamptz,
  auto_enabled boolean not null default false,
  auto_threshold_cents integer not null,
  auto_amount_cents integer not null,
  -- When a recharge last began, and why the last one failed, if it did.
  last_run_at timestamptz,
  last_error text,
  -- No recharge begins before this.
  next_try_at timestamptz,
  -- The recharge with an unknown outcome: its request, so that a retry can repeat it exactly, and the end of its lease.
  -- At most one a workspace.
  attempt_id uuid,
  attempt jsonb,
  attempt_begun_at timestamptz,
  attempt_held_until timestamptz,
  -- The payer, with whom the payment method is deleted.
  payment_method_user_id uuid,
  primary key (workspace_id),
  foreign key (workspace_id) references workspace (id) on delete cascade,
  check ((attempt_id is null) = (attempt is null))
);
create index billing_profile_auto on billing_profile (workspace_id) where (auto_enabled or (attempt_id is not null));

-- All customers of a workspace at the payment provider. When the customer's person leaves, the next payment makes a new
-- customer; the former one's invoices remain the workspace's.
create table billing_customer (
  workspace_id uuid not null,
  -- The provider's id.
  customer_id text not null,
  -- The customer's person and address; null where they were not kept.
  user_id uuid,
  email text,
  made_at timestamptz not null,
  -- When a payment last began. The provider is asked for its outcome for some days.
  begun_at timestamptz not null,
  primary key (workspace_id, customer_id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);
create index billing_customer_begun on billing_customer (begun_at);
-- Finds a customer's workspace: a payment that names another workspace is credited to neither.
create index billing_customer_by_id on billing_customer (customer_id);

-- What is known of a payment besides the ledger, possibly before the payment itself.
create table payment (
  workspace_id uuid not null,
  -- The provider's id.
  reference text not null,
  -- The total refunded, as reported at that instant.
  refunded_cents integer not null default 0,
  refunded_as_of timestamptz,
  primary key (workspace_id, reference),
  foreign key (workspace_id) references workspace (id) on delete cascade
);
-- A report of a dispute names only the payment.
create index payment_reference on payment (reference);

-- Groups and keywords
-- -------------------

create table keyword_group (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  name_folded text not null,
  external_id text,
  is_default boolean not null,
  context text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);
create unique index keyword_group_default on keyword_group (workspace_id) where is_default;
create unique index keyword_group_external_id on keyword_group (workspace_id, external_id)
  where external_id is not null;
create unique index keyword_group_name on keyword_group (workspace_id, name_folded);

create table keyword (
  workspace_id uuid not null,
  id uuid not null,
  group_id uuid not null,
  term text not null,
  term_folded text not null,
  kind text not null,
  -- Null means every platform.
  platforms text[],
  context text,
  required_terms text[] not null,
  required_mode text not null,
  excluded_terms text[] not null,
  -- As callers wrote them; the keys are the normal forms that are compared.
  excluded_authors text[] not null,
  excluded_author_keys text[] not null,
  case_sensitive boolean not null,
  muted boolean not null,
  paused_for_balance boolean not null default false,
  paused_for_noise boolean not null default false,
  paused_for_cap boolean not null default false,
  -- The caller's monthly limit. The welcome credit may impose a lower one, which is derived, not stored.
  cap_own integer,
  review_sources jsonb not null default '[]',
  created_at timestamptz not null,
  -- When rules, platforms or context last changed, or the keyword was unmuted: only later matches count for its health.
  judged_since timestamptz not null,
  -- When platforms or matching rules last changed, or the keyword was unmuted; null if never. Baselines start here. A
  -- change of context does not count.
  collects_since timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, group_id) references keyword_group (workspace_id, id),
  check (kind in ('brand', 'competitor', 'topic')),
  check (required_mode in ('any', 'all'))
);
-- For the turn of the month: the few capped keywords.
create index keyword_capped on keyword (workspace_id, id) where paused_for_cap;
-- For the few keywords that exclude an author.
create index keyword_excluding on keyword using gin (excluded_author_keys) where excluded_author_keys <> '{}';
create index keyword_ruled on keyword (id) where ((required_terms <> '{}') or (excluded_terms <> '{}')
  or (excluded_author_keys <> '{}'));
create unique index keyword_term on keyword (workspace_id, group_id, term_folded);
-- For matchers, which read and count all keywords that are not muted.
create index keyword_watched on keyword (id) where not muted;

-- Separate from the keyword, which hardly changes while counters change with every match, so that neither bloats the
-- other.
create table keyword_counter (
  workspace_id uuid not null,
  keyword_id uuid not null,
  mentions bigint not null default 0,
  relevant bigint not null default 0,
  last_mention_at timestamptz,
  -- The UTC month of month_mentions; in another month the count is zero.
  month date not null,
  month_mentions integer not null default 0,
  feedback_relevant bigint not null default 0,
  feedback_not_relevant bigint not null default 0,
  -- The charges of one UTC month, by the days of usage_day; in another month they are zero.
  cost_month date,
  month_billable integer not null default 0,
  month_units bigint not null default 0,
  -- Rises with every change of feedback, so that classifiers can cache the keyword's feedback; 0 means none ever.
  marks_version integer not null default 0,
  primary key (workspace_id, keyword_id),
  foreign key (workspace_id, keyword_id) references keyword (workspace_id, id) on delete cascade
) with (fillfactor = 50);

-- A day for which a keyword was charged.
create table keyword_day (
  workspace_id uuid not null,
  day date not null,
  keyword_id uuid not null,
  units bigint not null,
  primary key (workspace_id, day, keyword_id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);

-- Counts of recent UTC days, kept so that nobody scans mentions; only the last two weeks and later are used. Without a
-- foreign key, whose check would lock the keyword for each new row: removing a keyword deletes its days.
create table keyword_recent (
  workspace_id uuid not null,
  keyword_id uuid not null,
  day date not null,
  -- Matches by the publication of their posts, in quarters of the day.
  published_1 integer not null default 0,
  published_2 integer not null default 0,
  published_3 integer not null default 0,
  published_4 integer not null default 0,
  -- Matches made on this day that have a relevance, and the relevant ones.
  scored integer not null default 0,
  relevant integer not null default 0,
  -- Only matches made since keyword.judged_since.
  judged_scored integer not null default 0,
  judged_relevant integer not null default 0,
  primary key (workspace_id, keyword_id, day)
) with (fillfactor = 70);
create index keyword_recent_by_age on keyword_recent (day);

-- The log of changed keywords for the matchers of all processes, also for those that missed a notification. Rows
-- outlive keywords and workspaces, whose removal is a change too.
create table keyword_change (
  workspace_id uuid not null,
  id bigint not null generated always as identity,
  keyword_id uuid not null,
  -- The writing transaction. What a reader's snapshot did not see may have changed since, late commits included.
  xid xid8 not null default pg_current_xact_id(),
  -- Only for pruning, days later, so the database's clock is good enough.
  changed_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
-- For matchers, which read all workspaces at once.
create index keyword_change_xid on keyword_change (xid);

-- One row about the log itself.
create table keyword_log (
  one boolean not null default true,
  -- Tells this installation from every other.
  id uuid not null default gen_random_uuid(),
  -- The latest pruned transaction: the log is complete only for readers who saw it.
  pruned_through xid8 not null default '0'::xid8,
  primary key (one),
  check (one)
);
insert into keyword_log default values;

-- The names of removed keywords and their groups in usage.
create table removed_keyword (
  workspace_id uuid not null,
  id uuid not null,
  term text not null,
  group_id uuid not null,
  group_name text not null,
  removed_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);

-- Usage by UTC day, keyword and platform; it outlives the keyword. `matched` counts by the day of the match, the other
-- columns by the day of the score. Autovacuum analyzes at half the rows, not the usual tenth: every mention updates
-- usage, in columns that no plan depends on, and at thousands of mentions a second each analysis read 30,000 pages,
-- once a minute.
create table usage_day (
  workspace_id uuid not null,
  day date not null,
  keyword_id uuid not null,
  platform smallint not null,
  matched integer not null default 0,
  scored integer not null default 0,
  relevant integer not null default 0,
  billable integer not null default 0,
  failed integer not null default 0,
  mention_units bigint not null default 0,
  -- The part of each count whose posts their platforms deleted: still charged, but not reported.
  gone_matched integer not null default 0,
  gone_scored integer not null default 0,
  gone_relevant integer not null default 0,
  primary key (workspace_id, day, keyword_id, platform)
) with (fillfactor = 70, autovacuum_analyze_scale_factor = 0.5);
create index usage_day_keyword on usage_day (workspace_id, keyword_id, day);

-- A sample, kept for a day, of posts that contained a keyword's term and were dropped by its rules.
create table rejected_post (
  workspace_id uuid not null,
  id uuid not null,
  keyword_id uuid not null,
  post_id uuid not null,
  platform smallint not null,
  author_id text,
  url text not null,
  -- The beginning of title and text.
  excerpt text not null,
  reason text not null,
  published_at timestamptz not null,
  created_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, keyword_id) references keyword (workspace_id, id) on delete cascade,
  check (reason in ('required_terms', 'excluded_term', 'excluded_author', 'workspace_filter', 'cap'))
);
create index rejected_post_by_author on rejected_post (platform, author_id) where author_id is not null;
-- For deletions by platforms and by age.
create index rejected_post_by_post on rejected_post (post_id);
create index rejected_post_by_time on rejected_post (created_at);
create index rejected_post_of_keyword on rejected_post (workspace_id, keyword_id, id desc);
create unique index rejected_post_once on rejected_post (workspace_id, keyword_id, post_id);

-- Word frequencies in a sample of all posts, by week (its Monday), for hints on common terms. No row tells whose post
-- it was or what else it said.
create table word_week (
  week date not null,
  -- All posts, and those in the sample.
  posts_read bigint not null,
  posts_sampled bigint not null,
  -- The time span over all reading processes.
  began_at timestamptz not null,
  ended_at timestamptz not null,
  primary key (week)
);

-- Looked up by words, in one week or two.
create table word_count (
  week date not null,
  -- A folded word, or two adjacent words with a space between.
  words text not null,
  posts bigint not null,
  primary key (words, week)
);

-- The words that occur in posts with a common word.
create table word_companion (
  week date not null,
  word text not null,
  companion text not null,
  posts bigint not null,
  primary key (word, week, companion)
);

-- Locks counters and adds a batch of matches to counters, usage and recent counts. Returns the month's matches by
-- keyword, or null when a keyword differs from what the caller read. The settings force index plans.
create or replace function count_matches(current_month date, metered boolean, workspaces uuid[], keywords uuid[],
  added integer[], latest timestamptz[], months date[], caps_own integer[], caps integer[], limited boolean[],
  paused boolean[], usage_workspaces uuid[], usage_keywords uuid[], usage_days date[], usage_platforms smallint[],
  usage_matched integer[], recent_workspaces uuid[], recent_keywords uuid[], recent_days date[], quarters_1 integer[],
  quarters_2 integer[], quarters_3 integer[], quarters_4 integer[])
 returns integer[]
 language plpgsql
 set enable_seqscan to 'off'
 set enable_hashjoin to 'off'
 set enable_mergejoin to 'off'
as $$
declare
  counts integer[];
begin
  with moved as (
    update keyword_counter c set mentions = c.mentions + t.added, last_mention_at = greatest(c.last_mention_at,
      t.latest),
      month_mentions = case when c.month >= current_month then c.month_mentions else 0 end + t.added,
        month = greatest(c.month, current_month)
    from unnest(workspaces, keywords, added, latest, months, caps) with ordinality as t (workspace_id, keyword_id,
      added, latest, month, cap, place)
    where c.workspace_id = t.workspace_id and c.keyword_id = t.keyword_id and c.month = t.month
      and (t.cap is null or case when c.month >= current_month then c.month_mentions else 0 end + t.added <= t.cap)
    returning t.place, c.month_mentions)
  select array_agg(month_mentions order by place) into counts from moved;
  if cardinality(counts) is distinct from cardinality(keywords) then
    return null;
  end if;

  -- A separate statement: the one before may have waited for a counter and sees keywords as of its start. Changes of a
  -- keyword's running state or limit hold its counter, so this statement sees the final values.
  if exists (
    select from unnest(workspaces, keywords, caps_own, limited, paused) as t (workspace_id, keyword_id, cap_own,
      limited, paused)
    where not exists (
      select from keyword k join workspace w on w.id = k.workspace_id
      where k.workspace_id = t.workspace_id and k.id = t.keyword_id and not k.muted and k.paused_for_cap = t.paused
        and k.cap_own is not distinct from t.cap_own
        and (not metered or w.welcome_limits = t.limited)))
  then
    return null;
  end if;

  insert into usage_day as u (workspace_id, day, keyword_id, platform, matched)
  select workspace_id, day, keyword_id, platform, matched
  from unnest(usage_workspaces, usage_days, usage_keywords, usage_platforms, usage_matched) as t (workspace_id, day,
    keyword_id, platform, matched)
  on conflict (workspace_id, day, keyword_id, platform) do update set matched = u.matched + excluded.matched;

  insert into keyword_recent as r (workspace_id, keyword_id, day, published_1, published_2, published_3, published_4)
  select workspace_id, keyword_id, day, published_1, published_2, published_3, published_4
  from unnest(recent_workspaces, recent_keywords, recent_days, quarters_1, quarters_2, quarters_3, quarters_4)
    as t (workspace_id, keyword_id, day, published_1, published_2, published_3, published_4)
  on conflict (workspace_id, keyword_id, day) do update set published_1 = r.published_1 + excluded.published_1,
    published_2 = r.published_2 + excluded.published_2,
    published_3 = r.published_3 + excluded.published_3, published_4 = r.published_4 + excluded.published_4;

  return counts;
end $$;

-- Sources
-- -------

-- The progress and health of each source.
create table source_state (
  source text not null,
  -- Polled at intervals. False for live feeds and removed sources.
  scheduled boolean not null default false,
  cursor jsonb,
  -- The platform's time of the newest item read.
  newest_at timestamptz,
  last_polled_at timestamptz,
  last_success_at timestamptz,
  empty_polls integer not null default 0,
  failures integer not null default 0,
  last_error text,
  updated_at timestamptz not null,
  -- The process that collects, one at a time. A row without a holder, or with an expired lease, is free.
  holder uuid,
  leased_until timestamptz,
  primary key (source)
);

-- One row for each query to a platform, shared by all keywords that need it.
create table source_query (
  platform smallint not null,
  -- The folded term; for a review page id, storefront and language, separated by bars.
  key text not null,
  -- The term as its first keyword wrote it; null for a page.
  term text,
  -- Null when the query is not due.
  due_at timestamptz,
  -- Up to where the platform was read: the next poll begins there, less the platform's overlap.
  read_until timestamptz,
  last_polled_at timestamptz,
  -- When the query would be due after a find: a joining keyword does not make it due before.
  turn_at timestamptz,
  -- Consecutive polls without anything new.
  empty_polls integer not null default 0,
  -- Consecutive failures: the more, the fewer other queries share its request.
  failures integer not null default 0,
  last_error text,
  -- A keyword has joined for which the next poll looks back.
  look_back boolean not null,
  primary key (platform, key)
);
create index source_query_due on source_query (platform, due_at) where due_at is not null;

-- The queries of each keyword.
create table keyword_query (
  workspace_id uuid not null,
  keyword_id uuid not null,
  platform smallint not null,
  key text not null,
  -- Collects from here; earlier posts come only by looking back.
  since timestamptz not null,
  -- Whether looking back is pending, and how many mentions it made.
  look_back boolean not null,
  looked_back integer not null default 0,
  primary key (workspace_id, keyword_id, platform, key),
  foreign key (platform, key) references source_query (platform, key),
  foreign key (workspace_id, keyword_id) references keyword (workspace_id, id) on delete cascade
);
create index keyword_query_by_query on keyword_query (platform, key);

-- A feed, forum or the like: one row however many workspaces name it, so that it is read once for all.
create table place (
  id uuid not null,
  platform smallint not null,
  -- In canonical form.
  address text not null,
  -- Of the address: one place of a host is read at a time, and a fault of the host rests all its places.
  host text not null,
  -- The name that the place gives itself.
  title text,
  -- Named by a setting, and so read for every workspace.
  by_operator boolean not null,
  -- Earlier posts are not read.
  named_at timestamptz not null,
  due_at timestamptz not null,
  -- What the last poll knew; null before the first one.
  cursor jsonb,
  last_polled_at timestamptz,
  last_success_at timestamptz,
  last_found_at timestamptz,
  -- Consecutive polls without a new post, and consecutive failures.
  empty_polls integer not null default 0,
  failures integer not null default 0,
  last_error text,
  primary key (id),
  unique (platform, address)
);
create index place_due on place (platform, due_at);
create index place_by_host on place (platform, host);

-- The places that workspaces named. A place that neither a row here nor the operator names is dropped.
create table workspace_place (
  workspace_id uuid not null references workspace (id) on delete cascade,
  id uuid not null,
  place_id uuid not null references place (id),
  created_at timestamptz not null,
  primary key (workspace_id, id),
  unique (workspace_id, place_id)
);
create index workspace_place_by_place on workspace_place (place_id, workspace_id);

-- The use of a platform's quotas on one day of the quota's calendar.
create table source_quota (
  platform text not null,
  quota text not null,
  day date not null,
  spent bigint not null,
  primary key (platform, quota)
);

-- Until when each paced limit is used up; under an empty name, until when the platform wants no requests.
create table source_pace (
  platform text not null,
  quota text not null,
  per_seconds integer not null,
  used_until timestamptz not null,
  primary key (platform, quota, per_seconds)
);

-- The collecting processes, from which each computes its share of the sources.
create table collector (
  id uuid not null,
  alive_until timestamptz not null,
  primary key (id)
);

-- The owners of handles that keywords exclude, on platforms whose posts contain only ids.
create table author_identity (
  platform text not null,
  -- Lower case, without @.
  handle text not null,
  -- Null when unknown. A handle that is given up keeps its last id, whose owner is still meant.
  id text,
  -- When the platform last responded.
  checked_at timestamptz,
  -- When to check again.
  due_at timestamptz not null,
  primary key (platform, handle)
);
create index author_identity_due on author_identity (due_at);

-- Posts and mentions
-- ------------------

-- A post is stored once for all workspaces. Its id derives from platform and native id.
create table post (
  id uuid not null,
  platform smallint not null,
  native_id text not null,
  url text not null,
  title text,
  body text not null,
  image_url text,
  links text[] not null,
  published_at timestamptz not null,
  language_hint text,
  author_id text,
  author jsonb,
  engagement jsonb,
  reply_to jsonb,
  review jsonb,
  collected_at timestamptz not null,
  primary key (id)
) with (autovacuum_analyze_scale_factor = 0.25);
create index post_by_author on post (platform, author_id) where author_id is not null;
-- Explaining a post begins with its address.
create index post_by_url on post using hash (url);

-- A narrow row for each keyword that a post matched, with every value that lists filter by.
create table mention (
  workspace_id uuid not null,
  id uuid not null,
  keyword_id uuid not null,
  post_id uuid not null,
  created_at timestamptz not null,
  published_at timestamptz not null,
  platform smallint not null,
  status smallint not null default 0,
  delivered boolean not null default false,
  is_reply boolean not null,
  rating smallint,
  followers integer,
  likes integer,
  reposts integer,
  replies integer,
  quotes integer,
  views integer,
  bookmarks integer,
  scored_at timestamptz,
  failed boolean not null default false,
  relevance smallint,
  sentiment smallint,
  intents integer,
  automated boolean,
  language text,
  confidence double precision,
  note text,
  -- Token hashes: words of text and author, and hosts of links, salted with the workspace.
  facets bigint[] not null,
  -- Never charged: a review from before its page was connected.
  free boolean not null default false,
  -- The author as the workspace sees them: derived from workspace, platform and the author's identity. Null without an
  -- author.
  account_id uuid,
  -- The team member in charge.
  assignee_id uuid,
  -- Hidden from lists until then.
  snoozed_until timestamptz,
  triage_note text,
  -- The team's feedback. `relevance` and `sentiment` hold what counts now; the original columns hold an overruled
  -- verdict.
  feedback_relevant boolean,
  feedback_sentiment smallint,
  feedback_at timestamptz,
  original_relevance smallint,
  original_sentiment smallint,
  -- The usage day of the score, where it is not the day of scoring.
  counted_on date,
  -- A bit for each of the most common words, which were a fifth of the index entries, and the longest. Older mentions
  -- keep them in facets, where they are also searched; an older process does not find new mentions by such words, and
  -- does not update the bits when it edits a text.
  common_words integer not null default 0,
  primary key (workspace_id, id)
) partition by hash (workspace_id);
-- For the lists of assignees, and for unassigning former members.
create index mention_assigned on only mention (workspace_id, assignee_id, id desc) where assignee_id is not null;
create index mention_by_post on only mention (post_id);
create index mention_facets on only mention using gin (facets);
-- A keyword's latest feedback of each kind.
create index mention_marked on only mention (workspace_id, keyword_id, feedback_relevant, feedback_at desc)
  where feedback_at is not null;
create unique index mention_once on only mention (workspace_id, keyword_id, post_id);
-- For lists by publication and counts over days. Its columns never change.
create index mention_published on only mention (workspace_id, published_at desc, id desc) include (keyword_id);
-- For the small part of mentions with triage.
create index mention_triaged on only mention (workspace_id, id desc) where ((status <> 0) or (assignee_id is not null)
  or (snoozed_until is not null));
create table mention_0 partition of mention for values with (modulus 16, remainder 0)
  with (fillfactor = 55, autovacuum_analyze_scale_factor = 0.25);
create table mention_1 partition of mention for values with (modulus 16, remainder 1)
  with (fillfactor = 55, autovacuum_analyze_scale_factor = 0.25);
create table mention_2 partition of mention for values with (modulus 16, remainder 2)
  with (fillfactor = 55, autovacuum_analyze_scale_factor = 0.25);
create table mention_3 partition of mention for values with (modulus 16, remainder 3)
  with (fillfactor = 55, autovacuum_analyze_scale_factor = 0.25);
create table mention_4 partition of mention for values with (modulus 16, remainder 4)
  with (fillfactor = 55, autovacuum_analyze_scale_factor = 0.25);
create table mention_5 partition of mention for values with (modulus 16, remainder 5)
  with (fillfactor = 55, autovacuum_analyze_scale_factor = 0.25);
create table mention_6 partition of mention for values with (modulus 16, remainder 6)
  with (fillfactor = 55, autovacuum_analyze_scale_factor = 0.25);
create table mention_7 partition of mention for values with (modulus 16, remainder 7)
  with (fillfactor = 55, autovacuum_analyze_scale_factor = 0.25);
create table mention_8 partition of mention for values with (modulus 16, remainder 8)
  with (fillfactor = 55, autovacuum_analyze_scale_factor = 0.25);
create table mention_9 partition of mention for values with (modulus 16, remainder 9)
  with (fillfactor = 55, autovacuum_analyze_scale_factor = 0.25);
create table mention_10 partition of mention for values with (modulus 16, remainder 10)
  with (fillfactor = 55, autovacuum_analyze_scale_factor = 0.25);
create table mention_11 partition of mention for values with (modulus 16, remainder 11)
  with (fillfactor = 55, autovacuum_analyze_scale_factor = 0.25);
create table mention_12 partition of mention for values with (modulus 16, remainder 12)
  with (fillfactor = 55, autovacuum_analyze_scale_factor = 0.25);
create table mention_13 partition of mention for values with (modulus 16, remainder 13)
  with (fillfactor = 55, autovacuum_analyze_scale_factor = 0.25);
create table mention_14 partition of mention for values with (modulus 16, remainder 14)
  with (fillfactor = 55, autovacuum_analyze_scale_factor = 0.25);
create table mention_15 partition of mention for values with (modulus 16, remainder 15)
  with (fillfactor = 55, autovacuum_analyze_scale_factor = 0.25);

-- The history of a mention's triage. Actors in Slack have a name but no id here.
create table mention_change (
  workspace_id uuid not null,
  mention_id uuid not null,
  id uuid not null,
  changed_at timestamptz not null,
  -- An API key, team member or Slack user, with their name at that time.
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  -- A list of changes in the form of src/domain/mention/triage.ts.
  changes jsonb not null,
  primary key (workspace_id, mention_id, id),
  foreign key (workspace_id, mention_id) references mention (workspace_id, id) on delete cascade,
  check (((actor_kind in ('api_key', 'person', 'slack')) and ((actor_id is null) = (actor_kind = 'slack'))))
);

-- Streams resume by time, which is in the id.
create index mention_change_by_id on mention_change (workspace_id, id);

create table mention_block (
  workspace_id uuid not null,
  -- The range of mentions: after after_id, up to and including last_id.
  after_id uuid not null,
  last_id uuid not null,
  stale boolean not null default false,
  -- Bit sets of the values in the block; few keywords share a bit.
  platforms integer not null,
  ratings integer not null,
  sentiments integer not null,
  intents integer not null,
  languages text[] not null,
  keywords bit(4096) not null,
  automated boolean not null,
  replies boolean not null,
  own_posts boolean not null,
  -- Null where a mention has no score.
  relevance_min smallint,
  relevance_max smallint,
  confidence_max double precision,
  followers_min integer,
  followers_max integer,
  likes_max integer,
  reposts_max integer,
  replies_max integer,
  quotes_max integer,
  views_max integer,
  bookmarks_max integer,
  published_min timestamptz not null,
  published_max timestamptz not null,
  -- Sets of mentions, a bit for each by its position in the block: a set for each value, or for each of a few lower
  -- bounds.
  platform_sets bit(256)[] not null,
  rating_sets bit(256)[] not null,
  sentiment_sets bit(256)[] not null,
  intent_sets bit(256)[] not null,
  -- Languages share sets.
  language_sets bit(256)[] not null,
  relevance_sets bit(256)[] not null,
  follower_sets bit(256)[] not null,
  flag_sets bit(256)[] not null,
  -- A bit for each relevance, for lists by relevance; the flags are for filters by rare states. The defaults promise
  -- everything until the summary is computed again.
  relevances bit(101) not null default (~ '0'::bit(101)),
  delivered boolean not null default true,
  failed boolean not null default true,
  primary key (workspace_id, last_id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);
create index mention_block_stale on mention_block (workspace_id, last_id) where stale;

-- The distinct words of mentions, for searches by prefix. Kept on sixteen shelves by workspace: most words of a
-- workspace are also said in others, and a row for each workspace would cost storing more than the words do. A search
-- matches the words only against its own mentions. Without a unique key, writers of the same new word do not wait;
-- duplicates do no harm.
create table search_word (
  shelf smallint not null,
  word text collate "C" not null
);
create index search_word_order on search_word (shelf, word);

-- Workspaces with mentions whose words still have accents, below the mention before_id. A job renews them, newest
-- first.
create table words_to_renew (
  workspace_id uuid not null,
  before_id uuid not null,
  primary key (workspace_id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);

-- Mentions to score. A row is made with the mention and deleted with its score.
create table score_queue (
  workspace_id uuid not null,
  mention_id uuid not null,
  -- The end of the lease.
  leased_until timestamptz not null,
  attempts smallint not null default 0,
  primary key (workspace_id, mention_id)
);
create index score_queue_due on score_queue (leased_until);

-- Named filters of the mention list.
create table saved_view (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  name_folded text not null,
  description text not null default '',
  filter jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The feed's secret address is derived from the installation's key, the view and this version, and is not stored.
  feed_version integer not null default 1,
  -- The hash of an address from before addresses were derived, valid until renewed.
  feed_hash bytea,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);
-- A feed request has only the address.
create index saved_view_by_id on saved_view (id);
create unique index saved_view_name on saved_view (workspace_id, name_folded);

-- The numbers under which the compatibility interface shows mentions, keywords, views and the company, one sequence a
-- workspace. A number outlives its thing, so that it never means another one.
create table compat_number (
  workspace_id uuid not null,
  id uuid not null,
  kind text not null,
  number bigint not null,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);
create unique index compat_number_taken on compat_number (workspace_id, number);

-- The last number taken; its row also orders concurrent assignments.
create table compat_sequence (
  workspace_id uuid not null,
  last bigint not null,
  primary key (workspace_id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);

-- The mentions of a workspace with one of the token hashes, or with hash `common` and one of the common words. 32
-- hashes at a time, because the index checks all of them for each mention that it finds. Forced to the index as in
-- blocks_with_facets.
create or replace function mentions_saying(of_workspace uuid, wanted bigint[], common bigint, common_bits integer)
 returns uuid[]
 language sql
 stable
 set enable_seqscan to 'off'
as $$
  select coalesce(array_agg(distinct said.id), '{}') from (
    select found.id from generate_series(1, cardinality(wanted), 32) part (at)
    cross join lateral (select id from mention where workspace_id = of_workspace
      and facets && wanted[part.at:part.at + 31] offset 0) found
    union all
    select id from mention where common_bits <> 0 and workspace_id = of_workspace and facets @> array[common]
      and (common_words & common_bits) <> 0
  ) said
$$;

-- The blocks of mentions with one of the token hashes; null when there are too many to help. Forced to the index:
-- because of the limit the planner would scan the table.
create or replace function blocks_with_facets(of_workspace uuid, wanted bigint[])
 returns uuid[]
 language sql
 stable
 set enable_seqscan to 'off'
as $$
  with found as materialized (select id from mention where workspace_id = of_workspace and facets && wanted limit 501)
  select case when count(*) <= 500 then coalesce(array_agg(distinct (
    select b.last_id from mention_block b where b.workspace_id = of_workspace and b.last_id >= found.id
      order by b.last_id limit 1)), '{}') end
  from found
$$;

-- Classifying
-- -----------

-- The cost of a day over all workspaces, removed ones included. Reservations and costs lock the day's row, so that the
-- sums below hold still.
create table model_budget_day (
  day date not null,
  micro_usd bigint not null default 0,
  primary key (day)
);

-- Budget reserved for a call in flight; deleted when the cost is counted, or expired when its process died.
create table model_reservation (
  workspace_id uuid not null,
  id uuid not null,
  day date not null,
  micro_usd bigint not null,
  ends_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);
create index model_reservation_by_day on model_reservation (day);
create index model_reservation_ended on model_reservation (ends_at);

-- A workspace's model calls of a day.
create table model_day (
  workspace_id uuid not null,
  day date not null,
  calls integer not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  micro_usd bigint not null,
  primary key (workspace_id, day),
  foreign key (workspace_id) references workspace (id) on delete cascade
);
create index model_day_by_day on model_day (day);

-- A cache of language models' verdicts. The key hashes the text, all that it was judged by, the model and the version
-- of the prompt.
create table model_verdict (
  workspace_id uuid not null,
  key bytea not null,
  relevance smallint not null,
  sentiment smallint not null,
  intents integer not null,
  automated boolean not null,
  language text,
  confidence double precision not null,
  note text not null,
  made_at timestamptz not null,
  primary key (workspace_id, key),
  foreign key (workspace_id) references workspace (id) on delete cascade
);
create index model_verdict_by_age on model_verdict (made_at);

-- People
-- ------

-- An author on one platform, as a workspace sees them. Updated shortly after each scored mention.
create table account (
  workspace_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  platform smallint not null,
  name text,
  handle text,
  url text,
  avatar_url text,
  followers integer,
  -- The publication of the post with the profile.
  profile_at timestamptz not null default '-infinity',
  -- The folded words of name and handle.
  words text[] not null default '{}',
  mentions integer not null default 0,
  relevant integer not null default 0,
  positive integer not null default 0,
  neutral integer not null default 0,
  negative integer not null default 0,
  -- Mentions by intent and by keyword kind, in the order of their lists.
  intent_counts integer[] not null default '{}',
  kind_counts integer[] not null default '{}',
  first_seen_at timestamptz,
  last_seen_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade
) with (fillfactor = 70);
-- For lists of people by name, which is that of the first account, whose id the person has. Only 100 characters,
-- because names are written by anybody.
create index account_by_name on account (workspace_id, lower("left"(coalesce(name, handle), 100)), id)
  where person_id = id;
-- For scoring: the few accounts that belong to another person.
create index account_merged on account (workspace_id, id) where person_id <> id;
create index account_of_person on account (workspace_id, person_id);

-- The person behind one or several accounts, with the team's annotations. The id is that of the first account.
create table person (
  workspace_id uuid not null,
  id uuid not null,
  tags text[] not null default '{}',
  notes text not null default '',
  muted boolean not null default false,
  -- For lists: always the sum over the person's accounts.
  followers integer,
  -- Bit sets of platforms, intents and keyword kinds.
  platforms integer not null default 0,
  intents integer not null default 0,
  kinds integer not null default 0,
  mentions integer not null default 0,
  relevant integer not null default 0,
  positive integer not null default 0,
  neutral integer not null default 0,
  negative integer not null default 0,
  first_seen_at timestamptz,
  last_seen_at timestamptz,
  -- The words of all accounts, each after the end of the workspace's id, so that no lookup meets another workspace.
  words tsvector not null default ''::tsvector,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade
) with (fillfactor = 70);
create index person_by_first_seen on person (workspace_id, first_seen_at desc nulls last, id desc);
create index person_by_followers on person (workspace_id, followers desc nulls last, id desc);
create index person_by_last_seen on person (workspace_id, last_seen_at desc nulls last, id desc);
-- The default order, with the columns of most filters, for counting by index-only scans.
create index person_by_mentions on person (workspace_id, mentions desc, id desc) include (followers, platforms, intents,
  kinds, negative, last_seen_at, muted);
-- Whether a workspace has annotated people at all.
create index person_marked on person (workspace_id) where (muted or (tags <> '{}'));
-- For lists and rules: the few muted people.
create index person_muted on person (workspace_id, id) where muted;
create index person_tagged on person using gin (tags) where tags <> '{}';
create index person_words on person using gin (words) with (fastupdate=off);

-- Changes to accounts' counts. Scoring only appends rows, so that a much mentioned author is no contended row; a job
-- sums them shortly after. Removals and feedback append negative changes. Rows may outlive their workspace.
create table account_change (
  workspace_id uuid not null,
  id bigint not null generated always as identity,
  account_id uuid not null,
  -- These four are null when only a verdict changed.
  post_id uuid,
  platform smallint,
  seen_at timestamptz,
  kind text,
  -- Added to each count; the intents, a bit for each, count as often as the mentions.
  mentions integer not null,
  relevant smallint not null,
  positive smallint not null,
  neutral smallint not null,
  negative smallint not null,
  intents integer not null,
  primary key (workspace_id, id)
);

-- Keywords whose mentions still count for the former kind. A job moves the mentions in batches, in order of post id;
-- those after `through` are left. Changes of one keyword are applied one after another.
create table kind_change (
  workspace_id uuid not null,
  keyword_id uuid not null,
  id bigint not null generated always as identity,
  from_kind text not null,
  to_kind text not null,
  through uuid not null default '00000000-0000-0000-0000-000000000000',
  primary key (workspace_id, keyword_id, id),
  foreign key (workspace_id, keyword_id) references keyword (workspace_id, id) on delete cascade
);

-- The number of people of a workspace. Every change of its people locks this row.
create table people_total (
  workspace_id uuid not null,
  people bigint not null default 0,
  primary key (workspace_id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);

-- Named filters of the list of people.
create table segment (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  name_folded text not null,
  description text not null default '',
  filter jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);
create unique index segment_name on segment (workspace_id, name_folded);

-- Channels
-- --------

create table channel (
  workspace_id uuid not null,
  id uuid not null,
  kind text not null,
  label text not null,
  enabled boolean not null default true,
  config jsonb not null,
  -- Sealed with the installation's key.
  secret_sealed text,
  events text[] not null default '{}',
  created_at timestamptz not null,
  grant_id uuid,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade,
  check (kind in ('webhook', 'slack', 'telegram', 'email'))
);
-- An update from Telegram concerns every channel of the chat.
create index channel_by_telegram_chat on channel (((config ->> 'chatId'))) where kind = 'telegram';
create index channel_of_grant on channel (workspace_id, grant_id) where grant_id is not null;
-- Channels from before headers were sealed. A job seals them.
create index channel_unsealed on channel (workspace_id, id) where (jsonb_typeof((config -> 'headers')) = 'object');

-- An inbox for requests of webhook channels on trial, for a day.
create table inspection (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  -- SHA-256 of the token in the address, which is stored nowhere.
  token_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The requests of the minute that began at `minute_at`, counted by all processes together.
  minute_at timestamptz not null,
  minute_count integer not null default 0,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);
-- A request has only the address.
create unique index inspection_by_token on inspection (token_hash);
create index inspection_by_end on inspection (expires_at);

-- The newest requests of each inbox.
create table inspected_request (
  workspace_id uuid not null,
  inspection_id uuid not null,
  id uuid not null,
  received_at timestamptz not null,
  -- Without the values of headers that are not the service's own.
  headers jsonb not null,
  -- The beginning, and the size of the whole.
  body bytea not null,
  body_bytes integer not null,
  signature text not null,
  -- Whose secret was checked. The channel may be gone.
  channel_id uuid,
  primary key (workspace_id, inspection_id, id),
  foreign key (workspace_id, inspection_id) references inspection (workspace_id, id) on delete cascade,
  check (signature in ('valid', 'invalid', 'unknown'))
);

-- The Slack team that a workspace is connected to.
create table slack_connection (
  workspace_id uuid not null,
  team_id text not null,
  team_name text not null,
  scopes text[] not null,
  -- The app's token in the team, sealed and bound to the workspace. Channels have copies, each bound to the channel.
  token_sealed text not null,
  -- Tells whether a rejected token is this one.
  token_hash bytea not null,
  connected_at timestamptz not null,
  -- An API key or team member, with their name at that time.
  connected_by_kind text not null,
  connected_by_id uuid not null,
  connected_by_name text not null,
  -- Since when Slack rejects the token; null while it works.
  broken_at timestamptz,
  primary key (workspace_id),
  foreign key (workspace_id) references workspace (id) on delete cascade,
  check (connected_by_kind in ('api_key', 'person'))
);
create index slack_connection_by_team on slack_connection (team_id);

-- OAuth installations in progress at Slack, each good for one return.
create table slack_journey (
  workspace_id uuid not null,
  id uuid not null,
  asked_by_kind text not null,
  asked_by_id uuid not null,
  -- True when only the person who asked, signed in in a browser, may return.
  in_browser boolean not null,
  expires_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade,
  check (asked_by_kind in ('api_key', 'person'))
);

-- The latest link that connects a chat to a Telegram channel: valid once, until it expires. Stored as a hash.
create table telegram_link (
  workspace_id uuid not null,
  channel_id uuid not null,
  hash bytea not null,
  expires_at timestamptz not null,
  primary key (workspace_id, channel_id),
  foreign key (workspace_id, channel_id) references channel (workspace_id, id) on delete cascade
);
create index telegram_link_expiry on telegram_link (expires_at);
create index telegram_link_hash on telegram_link (hash);

-- Updates already processed: Telegram repeats an update until it is acknowledged.
create table telegram_update (
  bot text not null,
  update_id bigint not null,
  taken_at timestamptz not null,
  primary key (bot, update_id)
);
create index telegram_update_age on telegram_update (taken_at);

-- The process that polls a bot's updates, where webhooks are off; Telegram serves one poller at a time.
create table telegram_poller (
  bot text not null,
  holder uuid not null,
  leased_until timestamptz not null,
  primary key (bot)
);

-- Addresses that no channel may write to: hard bounces and spam complaints.
create table email_suppression (
  email text not null,
  reason text not null,
  created_at timestamptz not null,
  primary key (email),
  check (reason in ('bounce', 'complaint'))
);

-- Unsubscribed addresses. Until they confirm again, the workspace's channels do not write to them, members included,
-- except channels that they joined since. The time is kept even then: older confirmation links stay invalid.
create table email_opt_out (
  workspace_id uuid not null,
  email text not null,
  created_at timestamptz not null,
  -- When they confirmed again.
  ended_at timestamptz,
  primary key (workspace_id, email),
  foreign key (workspace_id) references workspace (id) on delete cascade
);

-- Unsubscribed addresses: until they confirm again, a new channel asks them first, members included. Channels that they
-- joined otherwise go on. The time is kept even then: older confirmation links stay invalid.
create table confirmation_mail (
  workspace_id uuid not null,
  id uuid not null,
  mailbox text not null,
  expires_at timestamptz not null,
  primary key (workspace_id, id)
);
create index confirmation_mail_expiry on confirmation_mail (expires_at);
create index confirmation_mail_mailbox on confirmation_mail (mailbox, expires_at);

-- The state of a delivery at each recipient, kept while it may be retried, so that nobody gets it twice.
create table email_receipt (
  workspace_id uuid not null,
  delivery_id uuid not null,
  email text not null,
  state text not null,
  -- The end of the sender's lease.
  leased_until timestamptz,
  created_at timestamptz not null,
  primary key (workspace_id, delivery_id, email),
  check (state in ('sending', 'accepted', 'refused'))
);
-- Mails to an address within the hour, over all channels.
create index email_receipt_by_address on email_receipt (workspace_id, email, created_at);
create index email_receipt_by_age on email_receipt (created_at);

-- Mails of a channel within the hour, which is limited. A replay counts as a mention.
create table email_sent (
  workspace_id uuid not null,
  channel_id uuid not null,
  kind text not null,
  delivery_id uuid not null,
  sent_at timestamptz not null,
  primary key (workspace_id, channel_id, kind, delivery_id),
  check (kind in ('mention', 'test'))
);
create index email_sent_by_age on email_sent (sent_at);

-- Rules and digests
-- -----------------

create table alert (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  enabled boolean not null default true,
  mode text not null,
  event text not null,
  filter jsonb not null,
  schedule jsonb,
  version integer not null default 1,
  created_at timestamptz not null,
  -- Null for instant rules and while the rule is off.
  next_run_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade,
  check (mode in ('instant', 'hourly', 'daily', 'weekly'))
);
create index alert_next_run on alert (next_run_at) where next_run_at is not null;

create table alert_channel (
  workspace_id uuid not null,
  alert_id uuid not null,
  channel_id uuid not null,
  position smallint not null,
  primary key (workspace_id, alert_id, channel_id),
  foreign key (workspace_id, alert_id) references alert (workspace_id, id) on delete cascade,
  foreign key (workspace_id, channel_id) references channel (workspace_id, id) on delete cascade
);
create index alert_channel_by_channel on alert_channel (workspace_id, channel_id);

-- The progress of a rule's digests. Made when the rule begins to send digests, or begins again.
create table digest_progress (
  workspace_id uuid not null,
  alert_id uuid not null,
  -- Mentions scored before this are in no digest.
  begun_at timestamptz not null,
  -- Mentions scored before this are reported, or needed no report.
  told_until timestamptz not null,
  -- Mentions scored later were matched at this instant or later.
  matched_since timestamptz not null,
  -- The latest reported mentions, as far back as transactions with earlier scores may still commit.
  told_last uuid[] not null,
  primary key (workspace_id, alert_id),
  foreign key (workspace_id, alert_id) references alert (workspace_id, id) on delete cascade
);

-- Deliveries
-- ----------

-- The log of deliveries. A delivery changes once or more after it was written, and its row grows: with room on the
-- page, the change touches no index. At a fill factor of 70 only half of the changes found room, and settling cost a
-- quarter more.
create table delivery (
  workspace_id uuid not null,
  id uuid not null,
  channel_id uuid not null,
  kind text not null,
  event text not null,
  alert_id uuid,
  mention_id uuid,
  -- The data of an account event; mentions are read when they are sent.
  data json,
  status text not null,
  attempts smallint not null default 0,
  attempt_limit smallint not null default 5,
  error text,
  response_status smallint,
  created_at timestamptz not null,
  sent_at timestamptz,
  -- Of a digest: its rule's mode, the due time that starts the attempt window, and the period's name in the log.
  mode text,
  digest_due_at timestamptz,
  period text,
  -- The delivery that this one repeats.
  replay_of uuid,
  -- Further rules that want the mention on the channel, in the order in which they are named; null for none.
  more_alerts uuid[],
  primary key (workspace_id, id),
  constraint delivery_digest check ((((kind = 'digest') = (mode is not null))
    and ((mode is null) = (digest_due_at is null)) and ((mode is null) = (period is null)))),
  check (kind in ('mention', 'digest', 'event')),
  check (mode in ('hourly', 'daily', 'weekly')),
  check (status in ('pending', 'held', 'delivered', 'failed', 'cancelled'))
) with (fillfactor = 48);
create index delivery_by_alert on delivery (workspace_id, alert_id, id desc);
create index delivery_by_channel on delivery (workspace_id, channel_id, id desc);
-- Digests and events are rare among the deliveries of mentions.
create index delivery_by_kind on delivery (workspace_id, id desc) where kind <> 'mention';
create index delivery_by_mention on delivery (workspace_id, mention_id) where mention_id is not null;
-- Each channel gets a digest once, however often it is made; only a replay repeats it.
create unique index delivery_by_period on delivery (workspace_id, alert_id, period, channel_id)
  where ((period is not null) and (replay_of is null));
create index delivery_by_replayed on delivery (workspace_id, replay_of) where replay_of is not null;

-- Attempts, written with their result and never changed. Pruning deletes them with the delivery: a foreign key's checks
-- would cost more than the rows. Not compressed, because that takes longer than writing.
create table delivery_attempt (
  workspace_id uuid not null,
  delivery_id uuid not null,
  -- Counts over all retries of the delivery.
  number smallint not null,
  -- When the request was built.
  at timestamptz not null,
  duration_ms integer not null,
  outcome text not null,
  error text,
  -- The headers as JSON, a line feed and the body, as bytes: text columns do not take every body. Null when nothing was
  -- sent.
  request bytea,
  response_status smallint,
  -- The beginning of the response.
  response_excerpt text,
  primary key (workspace_id, delivery_id, number),
  check (outcome in ('delivered', 'temporary_failure', 'permanent_failure'))
) with (toast_tuple_target = 8160);
alter table delivery_attempt alter column request set storage main;

-- Deliveries by the rules in more_alerts, newest first, which an index of the array cannot give. Pruned with the
-- delivery.
create table delivery_by_more_alerts (
  workspace_id uuid not null,
  alert_id uuid not null,
  delivery_id uuid not null,
  primary key (workspace_id, alert_id, delivery_id)
);

-- Failed and cancelled deliveries for the log of a workspace: an index by status would make every result of an attempt
-- touch the log's indexes. A row may outlive the status and the delivery, and is pruned by age.
create table delivery_unaccepted (
  workspace_id uuid not null,
  status text not null,
  delivery_id uuid not null,
  primary key (workspace_id, status, delivery_id),
  check (status in ('failed', 'cancelled'))
);

create or replace function list_unaccepted_delivery()
 returns trigger
 language plpgsql
as $$
begin
  insert into delivery_unaccepted values (new.workspace_id, new.status, new.id) on conflict do nothing;
  return null;
end $$;

create trigger delivery_ended_unaccepted after update of status on delivery for each row when ((new.status in (
  'failed', 'cancelled') and old.status <> new.status)) execute function list_unaccepted_delivery();

-- Queue partitions, called eras. Queue rows live for milliseconds, but dead rows stay in tables and indexes while any
-- snapshot is open: so one partition takes new rows, and empty ones are truncated.
create table delivery_era (
  era smallint not null,
  -- Takes new rows.
  current boolean not null,
  -- May hold rows. A closed partition waits to be truncated.
  open boolean not null,
  primary key (era)
);
create unique index delivery_era_current on delivery_era (current) where current;
insert into delivery_era select era, era = 0, era = 0 from generate_series(0, 3) era;

create or replace function current_delivery_era()
 returns smallint
 language sql
 stable
as $$select era from delivery_era where current$$;

create table delivery_queue (
  workspace_id uuid not null,
  delivery_id uuid not null,
  channel_id uuid not null,
  due_at timestamptz not null,
  -- The end of the sender's lease; null when not in flight.
  leased_until timestamptz,
  era smallint not null default current_delivery_era(),
  primary key (workspace_id, delivery_id, era)
) partition by list (era);
create index delivery_queue_due on only delivery_queue (due_at) where leased_until is null;
create index delivery_queue_leased on only delivery_queue (leased_until) where leased_until is not null;
-- Claims rotate over channels, oldest delivery first.
create index delivery_queue_turns on only delivery_queue (channel_id, due_at) where leased_until is null;
-- No autovacuum, because partitions are truncated: statistics, mostly of an empty table, would mislead the planner when
-- the table is full. Without statistics it goes by the size.
create table delivery_queue_0 partition of delivery_queue for values in ('0') with (autovacuum_enabled = false);
create table delivery_queue_1 partition of delivery_queue for values in ('1') with (autovacuum_enabled = false);
create table delivery_queue_2 partition of delivery_queue for values in ('2') with (autovacuum_enabled = false);
create table delivery_queue_3 partition of delivery_queue for values in ('3') with (autovacuum_enabled = false);

-- Held deliveries are not in the queue. They are rare, and switching a channel off finds them here: an index by status
-- would make every result of an attempt touch the log's indexes. A row may outlive its delivery.
create table delivery_held (
  workspace_id uuid not null,
  channel_id uuid not null,
  delivery_id uuid not null,
  -- Set when the hold ends by itself once there is room; null when somebody has to fix something.
  waits_for text,
  primary key (workspace_id, channel_id, delivery_id),
  check (waits_for in ('email_hourly_limit', 'waiting_limit'))
);
-- Deliveries return to the queue by age within a workspace.
create index delivery_held_by_age on delivery_held (workspace_id, delivery_id) where waits_for = 'waiting_limit';
create index delivery_held_by_room on delivery_held (waits_for, workspace_id, channel_id, delivery_id)
  where waits_for is not null;

-- Attention
-- ---------

-- Attention items: a condition of a keyword or channel that began at one moment and ends by itself.
create table attention_item (
  workspace_id uuid not null,
  id uuid not null,
  kind text not null,
  -- A keyword or channel, depending on the kind; it may be gone.
  subject_id uuid not null,
  -- The event's data when the item opened.
  data json not null,
  opened_at timestamptz not null,
  -- When the condition ended, dismissed or not.
  resolved_at timestamptz,
  dismissed_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade,
  check (kind in ('mention.spike', 'sentiment.negative_spike', 'keyword.noisy', 'channel.failing',
    'deliveries.waiting'))
);
create index attention_item_by_age on attention_item (resolved_at) where resolved_at is not null;
-- At most one item while the condition lasts, even if dismissed.
create unique index attention_item_lasting on attention_item (workspace_id, kind, subject_id) where resolved_at is null;

-- Hourly counts by the time of the match, without empty hours. Each check recounts the last day, so that late scores
-- and feedback count. Without a foreign key: rows are deleted by age.
create table attention_hour (
  workspace_id uuid not null,
  hour timestamptz not null,
  keyword_id uuid not null,
  -- Matches whose posts were new, and the relevant ones.
  fresh integer not null,
  fresh_relevant integer not null,
  -- Matches with a relevance, the relevant ones, and the negative ones among these.
  scored integer not null,
  relevant integer not null,
  negative integer not null,
  primary key (workspace_id, keyword_id, hour)
);
create index attention_hour_by_hour on attention_hour (workspace_id, hour);

-- When a keyword was last seen stopped by its cap: baselines start after it.
create table attention_gap (
  workspace_id uuid not null,
  keyword_id uuid not null,
  -- The end of the last full hour before it was seen, and the one before, for a check that runs twice.
  seen timestamptz not null,
  seen_before timestamptz,
  primary key (workspace_id, keyword_id)
);

-- The progress of the checks: one row after the first. Times only move forward, whatever a process's clock says.
create table attention_look (
  only_one boolean not null default true,
  -- The ends of the last full hour whose check began, and of the last that covered all workspaces.
  begun timestamptz not null,
  until timestamptz,
  -- The end of the last full hour at which it was seen, and the previous value, for a check that runs twice.
  collecting_since timestamptz,
  primary key (only_one),
  check (only_one)
);

-- Jobs
-- ----

-- When each recurring job is next due, over all processes.
create table job_turn (
  job text not null,
  due_at timestamptz not null,
  primary key (job)
);
