-- The schema: a section for each noun. What belongs to a workspace has workspace_id first in its primary key and in
-- every unique index: that is the wall between tenants, and it lets the database be spread over machines by workspace
-- later. What the database holds in all is shown by docs/generated/schema.sql.

-- Workspaces
-- ----------

create table workspace (
  id uuid not null,
  name text not null,
  created_at timestamptz not null,
  -- The ledger's balance in thirtieths of a cent; always equal to the last ledger entry's balance.
  balance_units bigint not null default 0,
  last_credit_units bigint not null default 0,
  last_top_up_at timestamptz,
  -- True until the first top-up: keywords are limited to 200 mentions a month.
  welcome_limits boolean not null default true,
  -- Mentions scored on days after this one are pending: counted in the effective balance, not yet in the ledger.
  settled_through date not null,
  -- True from the moment that the wallet was said to be low until the next credit.
  low_told boolean not null default false,
  primary key (id)
);
-- For the daily run, which looks for workspaces whose yesterday is not settled.
create index workspace_settled on workspace (settled_through, id);

-- Rules for all keywords of a workspace. A workspace without a row has none.
create table workspace_filters (
  workspace_id uuid not null,
  excluded_terms text[] not null default '{}',
  -- As the callers wrote them, because only that says what is a handle; and in the normal forms that are compared.
  excluded_authors text[] not null default '{}',
  excluded_author_keys text[] not null default '{}',
  excluded_repos text[] not null default '{}',
  subreddits_only text[] not null default '{}',
  subreddits_excluded text[] not null default '{}',
  -- What callers count changes by, and what moves too when an author is compared in another way.
  version integer not null default 1,
  revision integer not null default 1,
  updated_at timestamptz not null,
  primary key (workspace_id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);
-- For the filters that exclude a person.
create index workspace_filters_excluding on workspace_filters using gin (excluded_author_keys)
  where excluded_author_keys <> '{}';
-- So that whoever follows the filters of the installation reads nothing but an index to see that nothing has changed.
create index workspace_filters_followed on workspace_filters (workspace_id, revision);

-- Answers to requests that carried a requestId, kept for a day.
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

-- What the classifier knows of the company behind a workspace. A workspace without a row has written nothing yet.
create table company (
  workspace_id uuid not null,
  name text not null default '',
  description text not null default '',
  use_cases text[] not null default '{}',
  competitors text[] not null default '{}',
  -- Links of profiles.
  account_x text,
  account_linkedin text,
  website text,
  guidelines text not null default '',
  -- What the team wrote for the classifier; null while it reads what is composed from the rest.
  own_context text,
  -- What the classifier reads.
  context text not null default '',
  version integer not null default 1,
  updated_at timestamptz not null,
  primary key (workspace_id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);

-- The security log: who did what of weight, when, from where. Names are those of then, because whoever is named may be
-- gone when it is read. Nothing is ever changed; what is too old is deleted.
create table audit_entry (
  workspace_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  kind text not null,
  actor_kind text not null,
  -- Of a person or a key.
  actor_id uuid,
  actor_name text,
  actor_email text,
  -- The app through which a person acted.
  client_id text,
  client_name text,
  -- As callers see it.
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
-- Without them a filter for what is rare would go over the whole log.
create index audit_entry_by_kind on audit_entry (workspace_id, kind, id desc);

-- What the owners of a workspace are to be told by mail: written with the event, and gone once the mail is queued.
-- Those about keywords at their limit stay for a day after that, because the next are collected for as long.
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
  -- As the person wrote it, and folded: an address has one account.
  email text not null,
  email_folded text not null,
  name text not null,
  -- Argon2id in its own notation; null for who signs in by link or through a provider only.
  password_hash text,
  -- Null until the person has shown that the address is theirs.
  email_confirmed_at timestamptz,
  -- When a workspace of this person got the welcome credit, which each person gets once; null before.
  credited_at timestamptz,
  created_at timestamptz not null,
  primary key (id),
  unique (email_folded)
);

-- Who somebody is at a provider. Providers may hand an address on to somebody else, but never a subject.
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

-- Whoever follows the mentions of a workspace asks again whether they still may as soon as a key, a leave of an app, a
-- session or a membership of it has ended: in every process, and whichever statement ended it. The notification is the
-- one of scored mentions without any.
create or replace function tell_access_changed()
 returns trigger
 language plpgsql
as $$
begin
  perform pg_notify('earshot_scored', old.workspace_id::text)
    where exists (select from mention_follower f where f.workspace_id = old.workspace_id);
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

-- Gone once accepted or withdrawn. The link carries what it opens, sealed; nothing of it is stored.
create table invitation (
  workspace_id uuid not null,
  id uuid not null,
  email text not null,
  email_folded text not null,
  -- Owners are invited by the operator only.
  role text not null,
  -- Whether its link was mailed: whoever opens it then has shown that the address is theirs, and nobody else is shown
  -- it.
  mailed boolean not null default false,
  -- Null when the operator invited, or whoever did is gone.
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

-- Invitations that were mailed to a mailbox a short while ago, by whichever workspace, withdrawn ones too: nobody is
-- flooded.
create table invitation_mail (
  id uuid not null,
  mailbox text not null,
  -- Until when it counts.
  expires_at timestamptz not null,
  primary key (id)
);
create index invitation_mail_expiry on invitation_mail (expires_at);
create index invitation_mail_mailbox on invitation_mail (mailbox, expires_at);

-- A browser in which somebody is signed in. Of the cookie only the SHA-256 is stored, as of every secret below.
create table user_session (
  hash bytea not null,
  user_id uuid not null,
  -- The workspace that was chosen; null before there is one.
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

-- What a link in an e-mail opens, once. Gone when it was used.
create table email_link (
  hash bytea not null,
  purpose text not null,
  email text not null,
  -- Null for a sign-up, which has no account yet.
  user_id uuid,
  -- False for one that the operator handed out: whoever opens it has not shown that the address is theirs.
  mailed boolean not null default true,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Links that are mailed are counted by where their mails end up: every spelling of an address is one mailbox. A link
  -- that the operator made is mailed to nobody, and has none.
  mailbox text,
  primary key (hash),
  foreign key (user_id) references user_account (id) on delete cascade,
  check (purpose in ('sign_up', 'sign_in', 'reset'))
);
create index email_link_address on email_link (lower(email));
create index email_link_expiry on email_link (expires_at);
create index email_link_mailbox on email_link (mailbox);
create index email_link_of on email_link (user_id);

-- E-mails about accounts that wait to be sent; gone when they are. Sealed, because links are in them.
create table account_mail (
  id uuid not null,
  -- The invitation that it brings, with which it goes when that is withdrawn; null for any other mail.
  about uuid,
  sealed text not null,
  attempts integer not null default 0,
  -- Attempts after which the server had all of it and had not said what becomes of it: it may have arrived.
  unanswered integer not null default 0,
  -- True once somebody was told that it does not open with the key of now.
  unopened boolean not null default false,
  due_at timestamptz not null,
  -- After this nobody would want it any more.
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (id)
);
create index account_mail_about on account_mail (about) where about is not null;
create index account_mail_due on account_mail (due_at);

-- Keys and apps
-- -------------

-- Looked up by the hash of what the caller sends, before the workspace is known; hence the key without workspace_id.
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
  -- Under which leave of an app a key, an invitation or a channel was made, so that it ends with the leave, or is told
  -- of then. A grant that has ended is forgotten after a while, and what was made under it keeps its name.
  grant_id uuid,
  primary key (hash),
  foreign key (workspace_id) references workspace (id) on delete cascade,
  check (scope in ('read', 'write'))
);
create unique index api_key_by_id on api_key (workspace_id, id);
create index api_key_of_grant on api_key (workspace_id, grant_id) where ((grant_id is not null)
  and (revoked_at is null));
-- Revoked keys are forgotten when they are old.
create index api_key_revoked on api_key (revoked_at) where revoked_at is not null;
create trigger api_key_ended after update of revoked_at on api_key for each row when (((old.revoked_at is null)
  and (new.revoked_at is not null))) execute function tell_access_changed();
create trigger api_key_gone after delete on api_key for each row execute function tell_access_changed();

-- A sample that was sealed with the key of this database, so that every process can tell at its start whether it has
-- that key, also while there is no secret yet. Written by the first process that starts; one row at most.
create table key_check (
  one boolean not null default true,
  sealed text not null,
  primary key (one),
  check (one)
);

-- Programs that may ask people for access: registered here, or described by a document at the address that is their id.
create table oauth_client (
  id text not null,
  name text not null,
  redirect_uris text[] not null,
  home_url text,
  auth_method text not null,
  -- Its public keys or the address of them, as src/domain/oauth/client-keys.ts has it; null for one that does not sign.
  keys jsonb,
  secret_hash bytea,
  -- Until when the document need not be read again; null for a registered client.
  fresh_until timestamptz,
  created_at timestamptz not null,
  -- Until when it is remembered although it holds no grant.
  kept_until timestamptz not null,
  primary key (id),
  check (auth_method in ('none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'))
);
create index oauth_client_kept on oauth_client (kept_until);

-- Signed statements of clients that were used, each as the hash of its id: it counts once.
create table oauth_assertion (
  client_id text not null,
  hash bytea not null,
  expires_at timestamptz not null,
  primary key (client_id, hash),
  foreign key (client_id) references oauth_client (id) on delete cascade
);
create index oauth_assertion_expiry on oauth_assertion (expires_at);

-- What a person allowed a client in one workspace. Its tokens act within the role that the person has when they are
-- used.
create table oauth_grant (
  workspace_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  client_id text not null,
  scope text not null,
  -- The audience of its tokens: the address of the tool server as it was then.
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
  -- When a refresh token was exchanged: one that comes a second time was stolen.
  used_at timestamptz,
  -- The hash of the refresh token that a refresh token was given for; null for the first of a grant.
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

-- What is booked stays as it was: mistakes are corrected by further entries. Only with its workspace does a ledger go.
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
  -- The ledger by double entry. Every entry has a key, under which it is booked at most once in its workspace however
  -- often that is tried.
  key text not null,
  -- The order in which entries were booked. Their ids and times come from whoever books, who may have waited for
  -- another process by then: only in this order do the balances of a ledger follow from each other. A number is taken
  -- with the workspace locked, so those of one workspace only ever grow.
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

-- What an entry moves between accounts: from the wallet and to another, or the other way. The two always add up to
-- nothing.
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

-- Where money was spent since somebody last looked whether it still suffices. A row for every batch of charges, so that
-- a charge whose transaction ends after the look has a row of its own; it is gone with the look. It may outlive its
-- workspace.
create table wallet_spent (
  workspace_id uuid not null,
  id bigint not null generated always as identity,
  primary key (workspace_id, id)
);

-- How a workspace pays, from the first time that this is looked after.
create table billing_profile (
  workspace_id uuid not null,
  -- The workspace at the payment provider; null until its first top-up is begun.
  customer_id text,
  -- What may be charged without the person; null until a top-up was paid. The instant is that of the payment it comes
  -- from.
  payment_method_id text,
  payment_method_at timestamptz,
  auto_enabled boolean not null default false,
  auto_threshold_cents integer not null,
  auto_amount_cents integer not null,
  -- When a recharge was last begun, and why the last one came to nothing; null when it did not.
  last_run_at timestamptz,
  last_error text,
  -- No recharge is begun before.
  next_try_at timestamptz,
  -- The recharge whose outcome is not known: what was asked for, so that it can be asked for in the same words again,
  -- and until when nobody else asks. At most one a workspace.
  attempt_id uuid,
  attempt jsonb,
  attempt_begun_at timestamptz,
  attempt_held_until timestamptz,
  -- With what was saved belongs the person who paid with it, because it is forgotten when that person leaves.
  payment_method_user_id uuid,
  primary key (workspace_id),
  foreign key (workspace_id) references workspace (id) on delete cascade,
  check ((attempt_id is null) = (attempt is null))
);
create index billing_profile_auto on billing_profile (workspace_id) where (auto_enabled or (attempt_id is not null));

-- Everybody that a workspace has been at the payment provider. When the person leaves whose customer it is, the next
-- payment makes another one; the invoices of the former one are still those of the workspace.
create table billing_customer (
  workspace_id uuid not null,
  -- The provider's id.
  customer_id text not null,
  -- Whose it is, and the address that the provider has; null where that was not kept.
  user_id uuid,
  email text,
  made_at timestamptz not null,
  -- When a payment was last begun for it. For some days afterwards the provider is asked what came of it.
  begun_at timestamptz not null,
  primary key (workspace_id, customer_id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);
create index billing_customer_begun on billing_customer (begun_at);
-- Whose customer somebody is at the payment provider: a payment that names one workspace and comes from the customer of
-- another is credited to neither.
create index billing_customer_by_id on billing_customer (customer_id);

-- What is known of a payment beside the ledger. It may be here before the payment itself is told.
create table payment (
  workspace_id uuid not null,
  -- The provider's id of it.
  reference text not null,
  -- How much of it has gone back so far, as told at that instant.
  refunded_cents integer not null default 0,
  refunded_as_of timestamptz,
  primary key (workspace_id, reference),
  foreign key (workspace_id) references workspace (id) on delete cascade
);
-- What is told of a dispute names the payment alone.
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
  -- As the caller wrote them, and in the normal form that is compared.
  excluded_authors text[] not null,
  excluded_author_keys text[] not null,
  case_sensitive boolean not null,
  muted boolean not null,
  paused_for_balance boolean not null default false,
  paused_for_noise boolean not null default false,
  paused_for_cap boolean not null default false,
  -- The monthly limit that the caller chose. The welcome credit may set a lower one, which is derived, not stored.
  cap_own integer,
  review_sources jsonb not null default '[]',
  created_at timestamptz not null,
  -- When the rules, the platforms or the context last changed, or the keyword was unmuted: only later matches count for
  -- its health.
  judged_since timestamptz not null,
  -- Since when a keyword collects as it does now: when its platforms or rules of matching last changed, or it was
  -- unmuted; null when neither has happened since it was made. What is usual for it in an hour is counted from here on.
  -- A change of its context leaves it alone.
  collects_since timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, group_id) references keyword_group (workspace_id, id),
  check (kind in ('brand', 'competitor', 'topic')),
  check (required_mode in ('any', 'all'))
);
-- For the turn of the month, which looks for the few keywords that have reached a limit.
create index keyword_capped on keyword (workspace_id, id) where paused_for_cap;
-- For the keywords that exclude a person, of which there are few.
create index keyword_excluding on keyword using gin (excluded_author_keys) where excluded_author_keys <> '{}';
create index keyword_ruled on keyword (id) where ((required_terms <> '{}') or (excluded_terms <> '{}')
  or (excluded_author_keys <> '{}'));
create unique index keyword_term on keyword (workspace_id, group_id, term_folded);
-- For matchers, which read and count every keyword that is looked for. Takes the place of the index over muted ones
-- too.
create index keyword_watched on keyword (id) where not muted;

-- Counters move with every match, the keyword itself hardly ever: apart, so that neither bloats the other. The same for
-- counters and for the usage of the day, which are written again with every batch.
create table keyword_counter (
  workspace_id uuid not null,
  keyword_id uuid not null,
  mentions bigint not null default 0,
  relevant bigint not null default 0,
  last_mention_at timestamptz,
  -- Matches of one calendar month (UTC); in another month the count is nought.
  month date not null,
  month_mentions integer not null default 0,
  feedback_relevant bigint not null default 0,
  feedback_not_relevant bigint not null default 0,
  -- What was charged for the mentions of one calendar month (UTC), by the days of usage_day; in another month it is
  -- nought.
  cost_month date,
  month_billable integer not null default 0,
  month_units bigint not null default 0,
  -- What teams mark moves how later mentions of the same keyword are judged. Whoever judges keeps the marks of a
  -- keyword for as long as this number stays; it rises with every mark that is set, changed or taken back, and 0 says
  -- that there never was one.
  marks_version integer not null default 0,
  primary key (workspace_id, keyword_id),
  foreign key (workspace_id, keyword_id) references keyword (workspace_id, id) on delete cascade
) with (fillfactor = 50);

-- A day on which a keyword was charged.
create table keyword_day (
  workspace_id uuid not null,
  day date not null,
  keyword_id uuid not null,
  units bigint not null,
  primary key (workspace_id, day, keyword_id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);

-- What recent days brought to a keyword, counted where it happens, so that nobody has to look at mentions to tell it.
-- Days are those of UTC, and only those of the last two weeks and to come are of use. No key leads to the keyword: its
-- check would lock the keyword for each new row. Whoever removes a keyword removes its days.
create table keyword_recent (
  workspace_id uuid not null,
  keyword_id uuid not null,
  day date not null,
  -- Matches whose posts were published on this day: in its first six hours, and in those that follow.
  published_1 integer not null default 0,
  published_2 integer not null default 0,
  published_3 integer not null default 0,
  published_4 integer not null default 0,
  -- Matches that were made on this day and have a relevance by now, and those of them that are relevant.
  scored integer not null default 0,
  relevant integer not null default 0,
  -- The same, of matches made since the keyword was last judged anew (keyword.judged_since).
  judged_scored integer not null default 0,
  judged_relevant integer not null default 0,
  primary key (workspace_id, keyword_id, day)
) with (fillfactor = 70);
create index keyword_recent_by_age on keyword_recent (day);

-- Which keywords changed, for the matchers of all processes. Notifications only say that there is something to read;
-- this says what, also to a process that heard none of them. It outlives keywords and workspaces, whose end is a change
-- too.
create table keyword_change (
  workspace_id uuid not null,
  id bigint not null generated always as identity,
  keyword_id uuid not null,
  -- The transaction that wrote the change. A reader remembers the snapshot that it read with; what the snapshot did not
  -- see is exactly what may have changed since, late commits included.
  xid xid8 not null default pg_current_xact_id(),
  -- Only for pruning, days later, so the database's own clock will do.
  changed_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
-- For matchers, which ask for all workspaces at once.
create index keyword_change_xid on keyword_change (xid);

-- One row about the log itself.
create table keyword_log (
  one boolean not null default true,
  -- Tells this installation from every other.
  id uuid not null default gen_random_uuid(),
  -- The latest transaction whose changes were pruned: the log is complete only for readers who saw it.
  pruned_through xid8 not null default '0'::xid8,
  primary key (one),
  check (one)
);
insert into keyword_log default values;

-- The names under which removed keywords and their groups appear in usage.
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

-- What was used, by day (UTC), keyword and platform. Outlives the keyword: past charges stay. matched counts by the day
-- of the match; scored, relevant, billable and failed by the day of the scoring. Usage is updated with every mention,
-- in columns that no plan is made by, and each update counts towards the next look at the planner's statistics: at a
-- tenth, the usual share, a store that takes in thousands a second read 30,000 pages of usage every minute.
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
  -- Charges stay when a platform deletes a post, and reports of keywords leave it out. Of what a day counts, this much
  -- is no longer there.
  gone_matched integer not null default 0,
  gone_scored integer not null default 0,
  gone_relevant integer not null default 0,
  primary key (workspace_id, day, keyword_id, platform)
) with (fillfactor = 70, autovacuum_analyze_scale_factor = 0.5);
create index usage_day_keyword on usage_day (workspace_id, keyword_id, day);

-- A sample of the posts that held the term of a keyword and were dropped all the same. Kept for a day.
create table rejected_post (
  workspace_id uuid not null,
  id uuid not null,
  keyword_id uuid not null,
  post_id uuid not null,
  platform smallint not null,
  author_id text,
  url text not null,
  -- The first characters of its title and text.
  excerpt text not null,
  reason text not null,
  published_at timestamptz not null,
  created_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, keyword_id) references keyword (workspace_id, id) on delete cascade,
  check (reason in ('required_terms', 'excluded_term', 'excluded_author', 'workspace_filter', 'cap'))
);
create index rejected_post_by_author on rejected_post (platform, author_id) where author_id is not null;
-- For what is deleted on its platform, and for what is a day old.
create index rejected_post_by_post on rejected_post (post_id);
create index rejected_post_by_time on rejected_post (created_at);
create index rejected_post_of_keyword on rejected_post (workspace_id, keyword_id, id desc);
create unique index rejected_post_once on rejected_post (workspace_id, keyword_id, post_id);

-- How often words stand in what is read, from a sample of all posts, by week (its Monday): for hints on terms that are
-- common words. Nothing here says whose post it was or what else it said.
create table word_week (
  week date not null,
  -- Posts that the sample was taken of, and posts in it.
  posts_read bigint not null,
  posts_sampled bigint not null,
  -- For how long it was counted, over all processes that read.
  began_at timestamptz not null,
  ended_at timestamptz not null,
  primary key (week)
);

-- Looked up by the words, in one week or two.
create table word_count (
  week date not null,
  -- A folded word, or two that follow each other with a space between them.
  words text not null,
  posts bigint not null,
  primary key (words, week)
);

-- The words that stand in the same posts as a common one.
create table word_companion (
  week date not null,
  word text not null,
  companion text not null,
  posts bigint not null,
  primary key (word, week, companion)
);

-- As before (see the migration that made it), and told of each keyword the publication of its latest post in the batch.
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

  -- A statement of its own: the one before may have waited for a counter, and sees the keyword as it was before the
  -- wait. Whoever changes the running state or the limit of a keyword holds its counter, so a statement that begins now
  -- sees what counts.
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

-- How far each source has got, and how it fares.
create table source_state (
  source text not null,
  -- Whether the service asks this source at intervals; live feeds and sources that were taken out are not scheduled.
  scheduled boolean not null default false,
  cursor jsonb,
  -- The platform's time of the newest thing read.
  newest_at timestamptz,
  last_polled_at timestamptz,
  last_success_at timestamptz,
  empty_polls integer not null default 0,
  failures integer not null default 0,
  last_error text,
  updated_at timestamptz not null,
  -- One process at a time collects from a source. A row that nobody holds, or whose lease is over, is free.
  holder uuid,
  leased_until timestamptz,
  primary key (source)
);

-- One row for each thing that a platform is asked for, whoever wants it and however many do.
create table source_query (
  platform smallint not null,
  -- The folded term; or id, storefront and language of a review page, with a bar between each.
  key text not null,
  -- The term as whoever came first wrote it; null for a page.
  term text,
  -- Null when there is nothing to ask for at present.
  due_at timestamptz,
  -- Up to where the platform was read: the next poll begins there, less the overlap of its platform.
  read_until timestamptz,
  last_polled_at timestamptz,
  -- When its turn would be if every poll brought something: whoever joins does not have it asked before.
  turn_at timestamptz,
  -- Polls in a row that brought nothing new.
  empty_polls integer not null default 0,
  -- How often it was asked in vain in a row: the more, the fewer others it is asked with.
  failures integer not null default 0,
  last_error text,
  -- Somebody has joined for whom the next poll looks back.
  look_back boolean not null,
  primary key (platform, key)
);
create index source_query_due on source_query (platform, due_at) where due_at is not null;

-- Which keyword asks which platform for what.
create table keyword_query (
  workspace_id uuid not null,
  keyword_id uuid not null,
  platform smallint not null,
  key text not null,
  -- From when on it collects: what was published before comes in by looking back only.
  since timestamptz not null,
  -- Whether looking back is still to be done, and how many mentions it has made.
  look_back boolean not null,
  looked_back integer not null default 0,
  primary key (workspace_id, keyword_id, platform, key),
  foreign key (platform, key) references source_query (platform, key),
  foreign key (workspace_id, keyword_id) references keyword (workspace_id, id) on delete cascade
);
create index keyword_query_by_query on keyword_query (platform, key);

-- What was taken of the quotas of each platform on one day of its calendar.
create table source_quota (
  platform text not null,
  quota text not null,
  day date not null,
  spent bigint not null,
  primary key (platform, quota)
);

-- How far ahead each paced limit has been used up; and, under an empty name, until when a platform wants to be left
-- alone.
create table source_pace (
  platform text not null,
  quota text not null,
  per_seconds integer not null,
  used_until timestamptz not null,
  primary key (platform, quota, per_seconds)
);

-- The processes that collect, so that each can work out its share of the sources.
create table collector (
  id uuid not null,
  alive_until timestamptz not null,
  primary key (id)
);

-- Who stands behind the handles of people whom keywords exclude, on platforms whose posts carry nothing but an id.
create table author_identity (
  platform text not null,
  -- In lower case, without @.
  handle text not null,
  -- Null while nothing is known. A handle that is given up keeps the last id: its person is still meant.
  id text,
  -- When the platform last answered.
  checked_at timestamptz,
  -- When it is to be asked again.
  due_at timestamptz not null,
  primary key (platform, handle)
);
create index author_identity_due on author_identity (due_at);

-- Posts and mentions
-- ------------------

-- A post is stored once, whoever matched it. Its id is made from platform and native id.
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
  -- Hashes of the words of text and author and of the hosts of links, salted with the workspace.
  facets bigint[] not null,
  -- Mentions that are never charged: reviews from before their page was connected.
  free boolean not null default false,
  -- What a team does with a mention, and who wrote it. The author as this workspace sees it: made from workspace,
  -- platform and the author's own identity. Null where nobody is named.
  account_id uuid,
  -- The person of the team who looks after it.
  assignee_id uuid,
  -- Hidden from lists until then.
  snoozed_until timestamptz,
  triage_note text,
  -- What the team marked. `relevance` and `sentiment` hold what counts now, and these what the scorer had said where it
  -- was overruled.
  feedback_relevant boolean,
  feedback_sentiment smallint,
  feedback_at timestamptz,
  original_relevance smallint,
  original_sentiment smallint,
  -- The day under which its score was counted, where that is another than the day of the score; null otherwise.
  counted_on date,
  -- The most common words, which are not worth an entry each in the index over facets: a bit for each that the mention
  -- says. They were a fifth of its entries, and the longest. Mentions of before keep theirs among the facets, where
  -- they are looked for as well; a process of before does not find new mentions by such words, and leaves the bits as
  -- they were of a text that it edits.
  common_words integer not null default 0,
  primary key (workspace_id, id)
) partition by hash (workspace_id);
-- What one person looks after: for lists of it, and for taking it off somebody who leaves.
create index mention_assigned on only mention (workspace_id, assignee_id, id desc) where assignee_id is not null;
create index mention_by_post on only mention (post_id);
create index mention_facets on only mention using gin (facets);
-- The latest marks of a keyword, of each kind.
create index mention_marked on only mention (workspace_id, keyword_id, feedback_relevant, feedback_at desc)
  where feedback_at is not null;
create unique index mention_once on only mention (workspace_id, keyword_id, post_id);
-- For lists by publication time and for counts over days. Neither changes once the mention is made.
create index mention_published on only mention (workspace_id, published_at desc, id desc) include (keyword_id);
-- Only what somebody has touched: a small part, which is looked for among very many others.
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

-- Who changed what of a mention, and when. Goes with the mention. Those who press buttons in Slack have a name there
-- and no id here.
create table mention_change (
  workspace_id uuid not null,
  mention_id uuid not null,
  id uuid not null,
  changed_at timestamptz not null,
  -- An API key or a person of the team, with their name as it was then.
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  -- A list of what became what, as src/domain/mention/triage.ts has it.
  changes jsonb not null,
  primary key (workspace_id, mention_id, id),
  foreign key (workspace_id, mention_id) references mention (workspace_id, id) on delete cascade,
  check (((actor_kind in ('api_key', 'person', 'slack')) and ((actor_id is null) = (actor_kind = 'slack'))))
);

-- Workspaces whose newly scored mentions somebody follows: only of these does scoring tell. Each process that serves
-- such streams keeps its row while it has any, and one that died is forgotten when its time is over.
create table mention_follower (
  workspace_id uuid not null,
  process_id uuid not null,
  until timestamptz not null,
  primary key (workspace_id, process_id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);

create table mention_block (
  workspace_id uuid not null,
  -- The mentions after the one id, up to the other, which is included.
  after_id uuid not null,
  last_id uuid not null,
  stale boolean not null default false,
  -- A bit for each value that is there; few keywords share one.
  platforms integer not null,
  ratings integer not null,
  sentiments integer not null,
  intents integer not null,
  languages text[] not null,
  keywords bit(4096) not null,
  automated boolean not null,
  replies boolean not null,
  own_posts boolean not null,
  -- Null where some have no score.
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
  -- Sets of mentions, a bit for each by its place in the block: one for each value, or for each of a few steps of a
  -- number.
  platform_sets bit(256)[] not null,
  rating_sets bit(256)[] not null,
  sentiment_sets bit(256)[] not null,
  intent_sets bit(256)[] not null,
  -- Languages share sets.
  language_sets bit(256)[] not null,
  relevance_sets bit(256)[] not null,
  follower_sets bit(256)[] not null,
  flag_sets bit(256)[] not null,
  -- Blocks also say which relevances their mentions have, whether some were delivered, and whether scoring some has
  -- failed: lists by relevance, and for what is rare of these, pass over the others. Until a block is summed up anew it
  -- promises all of them. A bit for each relevance that is there.
  relevances bit(101) not null default (~ '0'::bit(101)),
  delivered boolean not null default true,
  failed boolean not null default true,
  primary key (workspace_id, last_id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);
create index mention_block_stale on mention_block (workspace_id, last_id) where stale;

-- The distinct words of stored mentions, so that a search for the beginning of a word knows which words it asks for.
-- They are kept on sixteen shelves, by the workspace, and not by workspace: what a workspace says is mostly said by
-- others too, and a row for each of its words would cost storing more than the words do. A search looks the words up
-- among its own mentions only. Without a unique key nobody waits for another who stores the same new word; the few that
-- stand twice do no harm.
create table search_word (
  shelf smallint not null,
  word text collate "C" not null
);
create index search_word_order on search_word (shelf, word);

-- Workspaces with mentions that are still found by their words as they were written, accents included, and the mention
-- before which those are. A job makes the words of these anew, from the newest on.
create table words_to_renew (
  workspace_id uuid not null,
  before_id uuid not null,
  primary key (workspace_id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);

-- Mentions that wait for a score. A row is made with the mention and removed with its score.
create table score_queue (
  workspace_id uuid not null,
  mention_id uuid not null,
  -- Nobody else takes the row before this instant.
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
  -- The token in the address of a feed is derived from the secret key, the view and this version of its address, and is
  -- kept nowhere.
  feed_version integer not null default 1,
  -- Of an address from before only its hash is left, by which it goes on working until the address is renewed.
  feed_hash bytea,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);
-- A feed is asked for by its address alone.
create index saved_view_by_id on saved_view (id);
create unique index saved_view_name on saved_view (workspace_id, name_folded);

-- The mentions of a workspace that have one of these facets, or a facet and one of these common words. A few facets at
-- a time: the index goes over all that it is asked for with each mention that it finds. By the index in any case, as in
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

-- The blocks of a workspace in which mentions with one of these facets stand; null when there are too many of them to
-- be worth it. By the index in any case: for the sake of the limit the planner would read a table from end to end.
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

-- What was spent on a day, by all workspaces, also by those that are gone. Whoever sets money aside or counts a cost
-- holds the row of the day, so that the sums below hold still.
create table model_budget_day (
  day date not null,
  micro_usd bigint not null default 0,
  primary key (day)
);

-- Money set aside for a call on its way; gone when the call is counted. One whose process died ends by itself.
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

-- What the calls for a workspace came to on a day.
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

-- Verdicts of language models, so that the same text in the same context is asked about once. The key is a hash of the
-- text, of all that it was judged by, of the model and of the version of the question.
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

-- One author on one platform, as a workspace has seen it. Follows the scored mentions a moment later. Both are written
-- again with every mention.
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
  -- When the post was published from which the profile is.
  profile_at timestamptz not null default '-infinity',
  -- The folded words of name and handle.
  words text[] not null default '{}',
  mentions integer not null default 0,
  relevant integer not null default 0,
  positive integer not null default 0,
  neutral integer not null default 0,
  negative integer not null default 0,
  -- Mentions by intent and by the kind of the keyword, in the order of the lists of intents and of kinds.
  intent_counts integer[] not null default '{}',
  kind_counts integer[] not null default '{}',
  first_seen_at timestamptz,
  last_seen_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade
) with (fillfactor = 70);
-- For lists of people by name: a person is named as their first account is, which gives them their id. Names are
-- written by anybody, so that only their beginning is in order.
create index account_by_name on account (workspace_id, lower("left"(coalesce(name, handle), 100)), id)
  where person_id = id;
-- The few that are part of somebody else, of whom scoring has to know.
create index account_merged on account (workspace_id, id) where person_id <> id;
create index account_of_person on account (workspace_id, person_id);

-- Who stands behind one or several accounts, and what the team says of them. Its id is that of its first account.
create table person (
  workspace_id uuid not null,
  id uuid not null,
  tags text[] not null default '{}',
  notes text not null default '',
  muted boolean not null default false,
  -- All that lists of people look at: always the sum of the person's accounts.
  followers integer,
  -- Bits of the platforms, of the intents and of the kinds of keywords that occur.
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
  -- The words of all accounts, each behind the end of the workspace's id, so that no look-up meets another workspace.
  words tsvector not null default ''::tsvector,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade
) with (fillfactor = 70);
create index person_by_first_seen on person (workspace_id, first_seen_at desc nulls last, id desc);
create index person_by_followers on person (workspace_id, followers desc nulls last, id desc);
create index person_by_last_seen on person (workspace_id, last_seen_at desc nulls last, id desc);
-- The usual order, and all that most filters look at beside it, so that those who fit are counted without reading their
-- rows.
create index person_by_mentions on person (workspace_id, mentions desc, id desc) include (followers, platforms, intents,
  kinds, negative, last_seen_at, muted);
-- Whether scoring has to look at people at all.
create index person_marked on person (workspace_id) where (muted or (tags <> '{}'));
-- The few of whom lists and rules have to know.
create index person_muted on person (workspace_id, id) where muted;
create index person_tagged on person using gin (tags) where tags <> '{}';
create index person_words on person using gin (words) with (fastupdate=off);

-- What the scored mentions say of the people who wrote them. Scoring leaves a row for each mention and counts nothing
-- itself, so that an author whom many mention at once is no row that everybody waits for; what was left is added up a
-- moment later. Whoever takes mentions away, or marks them, leaves rows that take back. A row may outlive its
-- workspace.
create table account_change (
  workspace_id uuid not null,
  id bigint not null generated always as identity,
  account_id uuid not null,
  -- These four are null where nothing came or went and only a verdict is another now.
  post_id uuid,
  platform smallint,
  seen_at timestamptz,
  kind text,
  -- How much is added to each count. The intents, a bit for each, are counted as often as the mentions.
  mentions integer not null,
  relevant smallint not null,
  positive smallint not null,
  neutral smallint not null,
  negative smallint not null,
  intents integer not null,
  primary key (workspace_id, id)
);

-- Keywords that are of another kind now, as long as their mentions still count for the kind before. The mentions are
-- gone through in the order of their posts, a portion at a time: those behind `through` are to be counted for the new
-- kind yet. Of several changes of one keyword the next begins when the one before is through.
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

-- How many people a workspace has. Whoever makes, joins, parts or removes people of a workspace holds its row
-- meanwhile.
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
  -- Sealed with the installation's key; never leaves the database in any other form than the moment it is made.
  secret_sealed text,
  events text[] not null default '{}',
  created_at timestamptz not null,
  grant_id uuid,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade,
  check (kind in ('webhook', 'slack', 'telegram', 'email'))
);
-- What Telegram says of a chat concerns every channel that speaks there.
create index channel_by_telegram_chat on channel (((config ->> 'chatId'))) where kind = 'telegram';
create index channel_of_grant on channel (workspace_id, grant_id) where grant_id is not null;
-- Channels whose headers were stored before their values were sealed. A job seals them; then none is left to be found.
create index channel_unsealed on channel (workspace_id, id) where (jsonb_typeof((config -> 'headers')) = 'object');

-- The team at Slack that a workspace is connected to.
create table slack_connection (
  workspace_id uuid not null,
  team_id text not null,
  team_name text not null,
  scopes text[] not null,
  -- Speaks for the app in the team; sealed, and bound to the workspace. Its channels keep it too, each bound to itself.
  token_sealed text not null,
  -- By which it is known whether it is the one that Slack did not take.
  token_hash bytea not null,
  connected_at timestamptz not null,
  -- An API key or a person of the team, with their name as it was then.
  connected_by_kind text not null,
  connected_by_id uuid not null,
  connected_by_name text not null,
  -- Since when Slack does not take the token any more; null while it does.
  broken_at timestamptz,
  primary key (workspace_id),
  foreign key (workspace_id) references workspace (id) on delete cascade,
  check (connected_by_kind in ('api_key', 'person'))
);
create index slack_connection_by_team on slack_connection (team_id);

-- Somebody is on the way to Slack to allow the app there. Good for one way back.
create table slack_journey (
  workspace_id uuid not null,
  id uuid not null,
  asked_by_kind text not null,
  asked_by_id uuid not null,
  -- Where somebody asked who was signed in in a browser, only that person can come back.
  in_browser boolean not null,
  expires_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade,
  check (asked_by_kind in ('api_key', 'person'))
);

-- A link by which a chat can be connected to a Telegram channel: the last one of the channel, good once and for a
-- while. Only its hash is known.
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

-- What a bot was told already: Telegram repeats an update until it is answered.
create table telegram_update (
  bot text not null,
  update_id bigint not null,
  taken_at timestamptz not null,
  primary key (bot, update_id)
);
create index telegram_update_age on telegram_update (taken_at);

-- Which process asks for the updates of a bot that cannot be called; Telegram hands them to one at a time.
create table telegram_poller (
  bot text not null,
  holder uuid not null,
  leased_until timestamptz not null,
  primary key (bot)
);

-- No channel of this installation writes to these any more: they bounced for good, or their reader reported spam.
create table email_suppression (
  email text not null,
  reason text not null,
  created_at timestamptz not null,
  primary key (email),
  check (reason in ('bounce', 'complaint'))
);

-- Who unsubscribed from a channel of a workspace. Until they confirm again no channel of it writes to them but those
-- that they had joined besides, also when they are members. When they did is kept also then: links to confirm from
-- before stay worthless.
create table email_opt_out (
  workspace_id uuid not null,
  email text not null,
  created_at timestamptz not null,
  -- When they confirmed anew.
  ended_at timestamptz,
  primary key (workspace_id, email),
  foreign key (workspace_id) references workspace (id) on delete cascade
);

-- Confirmations that were asked for by mail a short while ago: nobody is flooded, and no workspace writes to strangers
-- without end.
create table confirmation_mail (
  workspace_id uuid not null,
  id uuid not null,
  mailbox text not null,
  -- Until when it counts.
  expires_at timestamptz not null,
  primary key (workspace_id, id)
);
create index confirmation_mail_expiry on confirmation_mail (expires_at);
create index confirmation_mail_mailbox on confirmation_mail (mailbox, expires_at);

-- What became of a delivery at each of its recipients, for as long as it may be retried, so that nobody gets it twice.
create table email_receipt (
  workspace_id uuid not null,
  delivery_id uuid not null,
  email text not null,
  state text not null,
  -- While it is being sent nobody else sends it; the mark of a process that died ends then.
  leased_until timestamptz,
  created_at timestamptz not null,
  primary key (workspace_id, delivery_id, email),
  check (state in ('sending', 'accepted', 'refused'))
);
-- Mails that an address had of a workspace within the hour, through whichever channels.
create index email_receipt_by_address on email_receipt (workspace_id, email, created_at);
create index email_receipt_by_age on email_receipt (created_at);

-- Mentions and tests that a channel has mailed within the hour, which are limited. Whatever is replayed counts as a
-- mention.
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
  -- Rules that send digests know when they run next; null for instant rules and for those that are switched off.
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

-- How far the digests of a rule have got. A row is made when the rule begins to send digests, anew when it begins
-- again, and goes with the rule.
create table digest_progress (
  workspace_id uuid not null,
  alert_id uuid not null,
  -- Since then the rule sends digests: what was scored before is in none.
  begun_at timestamptz not null,
  -- What was scored before this instant is told, whether or not it had to be sent.
  told_until timestamptz not null,
  -- What is scored from then on was matched at this instant or later.
  matched_since timestamptz not null,
  -- The mentions that were told last, as far back as others may not have been committed yet that were scored before
  -- them.
  told_last uuid[] not null,
  primary key (workspace_id, alert_id),
  foreign key (workspace_id, alert_id) references alert (workspace_id, id) on delete cascade
);

-- Deliveries
-- ----------

-- The log of what was sent and what became of it. The log of deliveries. Each row is written, and changed once or twice
-- soon after: room on its page keeps the change from touching any index. A delivery is changed once or more after it
-- was written, and its row grows then. With room for that in its own page the change leaves the indexes alone: at 70
-- only half of the changes found room, and settling cost a quarter more.
create table delivery (
  workspace_id uuid not null,
  id uuid not null,
  channel_id uuid not null,
  kind text not null,
  event text not null,
  alert_id uuid,
  mention_id uuid,
  -- The data of an account event; mentions are read afresh when they are sent.
  data json,
  status text not null,
  attempts smallint not null default 0,
  attempt_limit smallint not null default 5,
  error text,
  response_status smallint,
  created_at timestamptz not null,
  sent_at timestamptz,
  -- Of a digest: the mode of its rule, the moment it was due, from which the time for attempts counts, and the name of
  -- its period in the log.
  mode text,
  digest_due_at timestamptz,
  period text,
  -- The delivery that this one repeats.
  replay_of uuid,
  -- Further rules that wanted a mention on the channel, beside the one in alert_id, in the order in which they are
  -- named; null for none.
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
create index delivery_by_mention on delivery (workspace_id, mention_id) where mention_id is not null;
-- However often a digest is made, each channel gets it once; only a replay sends it again.
create unique index delivery_by_period on delivery (workspace_id, alert_id, period, channel_id)
  where ((period is not null) and (replay_of is null));
create index delivery_by_replayed on delivery (workspace_id, replay_of) where replay_of is not null;

-- Each attempt of a delivery: what was sent and what came back. Written with the result of the attempt and never
-- changed, and removed with the delivery, by whoever tidies the log up: a check of every row by the database would cost
-- more than the row. Nor is it worth compressing: that takes longer than writing it.
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
  -- The headers as JSON, a line feed, and the body, as bytes: a body may hold what text columns do not take. Null when
  -- nothing could be sent.
  request bytea,
  response_status smallint,
  -- The beginning of the reply.
  response_excerpt text,
  primary key (workspace_id, delivery_id, number),
  check (outcome in ('delivered', 'temporary_failure', 'permanent_failure'))
) with (toast_tuple_target = 8160);
alter table delivery_attempt alter column request set storage main;

-- The deliveries whose more_alerts name a rule, newest found first: what an index of the array could not give. Removed
-- with the delivery, by whoever tidies the log up, as attempts are.
create table delivery_by_more_alerts (
  workspace_id uuid not null,
  alert_id uuid not null,
  delivery_id uuid not null,
  primary key (workspace_id, alert_id, delivery_id)
);

-- What waits to be sent comes and goes within milliseconds, and what has gone stays in tables and indexes for as long
-- as any snapshot is open anywhere. So it stands in parts, one of which takes what is new; a part that has emptied is
-- truncated.
create table delivery_era (
  era smallint not null,
  -- Takes what is new.
  current boolean not null,
  -- May hold rows. What nobody reads any more waits to be truncated.
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
  -- Until then the process that has it in hand is the only one that sends it; null while nobody has.
  leased_until timestamptz,
  era smallint not null default current_delivery_era(),
  primary key (workspace_id, delivery_id, era)
) partition by list (era);
create index delivery_queue_due on only delivery_queue (due_at) where leased_until is null;
create index delivery_queue_leased on only delivery_queue (leased_until) where leased_until is not null;
-- What nobody has in hand is claimed by turns of the channels: each channel's own row of deliveries, oldest first.
create index delivery_queue_turns on only delivery_queue (channel_id, due_at) where leased_until is null;
-- Truncating tidies up here. What the server would note on its rounds, mostly that there is nothing, would make it plan
-- for an empty table when the table is full; without any note it goes by the size.
create table delivery_queue_0 partition of delivery_queue for values in ('0') with (autovacuum_enabled = false);
create table delivery_queue_1 partition of delivery_queue for values in ('1') with (autovacuum_enabled = false);
create table delivery_queue_2 partition of delivery_queue for values in ('2') with (autovacuum_enabled = false);
create table delivery_queue_3 partition of delivery_queue for values in ('3') with (autovacuum_enabled = false);

-- Held deliveries have no place in the queue. They are rare, and whoever switches a channel off looks for them here: an
-- index of the log by status would make every result of an attempt touch the indexes of the log. A row may outlive what
-- it names.
create table delivery_held (
  workspace_id uuid not null,
  channel_id uuid not null,
  delivery_id uuid not null,
  -- Why a delivery is held, where it goes on by itself when there is room again; null where somebody has to put
  -- something right first.
  waits_for text,
  primary key (workspace_id, channel_id, delivery_id),
  check (waits_for in ('email_hourly_limit', 'waiting_limit'))
);
-- What waits for room goes back into the queue by age, the oldest of a workspace first.
create index delivery_held_by_age on delivery_held (workspace_id, delivery_id) where waits_for = 'waiting_limit';
create index delivery_held_by_room on delivery_held (waits_for, workspace_id, channel_id, delivery_id)
  where waits_for is not null;

-- Attention
-- ---------

-- What deserves a look: something about a keyword or a channel that began at one moment and ends by itself.
create table attention_item (
  workspace_id uuid not null,
  id uuid not null,
  kind text not null,
  -- A keyword or a channel, as the kind says. It may be gone.
  subject_id uuid not null,
  -- What the event said when the item opened.
  data json not null,
  opened_at timestamptz not null,
  -- When its condition ended, whether or not somebody had dismissed it before.
  resolved_at timestamptz,
  dismissed_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade,
  check (kind in ('mention.spike', 'sentiment.negative_spike', 'keyword.noisy', 'channel.failing',
    'deliveries.waiting'))
);
create index attention_item_by_age on attention_item (resolved_at) where resolved_at is not null;
-- While its condition lasts there is no second item, also when the first is dismissed.
create unique index attention_item_lasting on attention_item (workspace_id, kind, subject_id) where resolved_at is null;

-- What each hour brought to a keyword, by the time of the match: rows only where it brought something. Written by the
-- look for what deserves attention, which reads the mentions of the last day anew each time, so that late scores and
-- marks of the team count. No key leads to the keyword or the workspace: rows go by their age.
create table attention_hour (
  workspace_id uuid not null,
  hour timestamptz not null,
  keyword_id uuid not null,
  -- Matches whose posts were new, and those of them that are relevant.
  fresh integer not null,
  fresh_relevant integer not null,
  -- Matches that have a relevance, the relevant ones, and those of these that are negative.
  scored integer not null,
  relevant integer not null,
  negative integer not null,
  primary key (workspace_id, keyword_id, hour)
);
create index attention_hour_by_hour on attention_hour (workspace_id, hour);

-- When a keyword was seen not to collect because it had reached its monthly limit: hours before say nothing of what is
-- usual.
create table attention_gap (
  workspace_id uuid not null,
  keyword_id uuid not null,
  -- The last full hour, by its end, after which it was seen so; and the one before that, for a look that is taken
  -- twice.
  seen timestamptz not null,
  seen_before timestamptz,
  primary key (workspace_id, keyword_id)
);

-- How far it was looked: one row, once a look was begun. Both only move forward, whatever clock a process goes by.
create table attention_look (
  only_one boolean not null default true,
  -- The end of the last full hour for which a look was begun; and of the last that was looked at everywhere, once there
  -- was one.
  begun timestamptz not null,
  until timestamptz,
  -- When it was looked again after the service had been off for long: hours before say nothing of what is usual.
  collecting_since timestamptz,
  primary key (only_one),
  check (only_one)
);

-- Jobs
-- ----

-- When each recurring job is due again, whichever process runs it.
create table job_turn (
  job text not null,
  due_at timestamptz not null,
  primary key (job)
);
