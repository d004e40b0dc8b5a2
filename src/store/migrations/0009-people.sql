-- People who sign in, the workspaces they belong to, and what they allow others to do in their name.

create table user_account (
  id uuid primary key,
  -- As the person wrote it, and folded: an address has one account.
  email text not null,
  email_folded text not null unique,
  name text not null,
  -- Argon2id in its own notation; null for who signs in by link or through a provider only.
  password_hash text,
  -- Null until the person has shown that the address is theirs.
  email_confirmed_at timestamptz,
  -- When a workspace of this person got the welcome credit, which each person gets once; null before.
  credited_at timestamptz,
  created_at timestamptz not null
);

-- Who somebody is at a provider. Providers may hand an address on to somebody else, but never a subject.
create table user_identity (
  provider text not null check (provider in ('google', 'github')),
  subject text not null,
  user_id uuid not null references user_account on delete cascade,
  created_at timestamptz not null,
  primary key (provider, subject)
);
create index user_identity_of on user_identity (user_id);

create table membership (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null,
  user_id uuid not null references user_account on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member')),
  joined_at timestamptz not null,
  primary key (workspace_id, id)
);
create unique index membership_user on membership (workspace_id, user_id);
create index membership_of on membership (user_id);

-- Gone once accepted or withdrawn. The link carries what it opens, sealed; nothing of it is stored.
create table invitation (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null,
  email text not null,
  email_folded text not null,
  -- Owners are invited by the operator only.
  role text not null check (role in ('owner', 'admin', 'member')),
  -- Whether its link was mailed: whoever opens it then has shown that the address is theirs, and nobody else is shown it.
  mailed boolean not null default false,
  -- Null when the operator invited, or whoever did is gone.
  invited_by uuid references user_account on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (workspace_id, id)
);
create unique index invitation_email on invitation (workspace_id, email_folded);

-- Invitations that were mailed to a mailbox a short while ago, by whichever workspace, withdrawn ones too: nobody is flooded.
create table invitation_mail (
  id uuid primary key,
  mailbox text not null,
  -- Until when it counts.
  expires_at timestamptz not null
);
create index invitation_mail_mailbox on invitation_mail (mailbox, expires_at);
create index invitation_mail_expiry on invitation_mail (expires_at);

-- A browser in which somebody is signed in. Of the cookie only the SHA-256 is stored, as of every secret below.
create table user_session (
  hash bytea primary key,
  user_id uuid not null references user_account on delete cascade,
  -- The workspace that was chosen; null before there is one.
  workspace_id uuid references workspace on delete set null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null
);
create index user_session_of on user_session (user_id);
create index user_session_expiry on user_session (expires_at);

-- What a link in an e-mail opens, once. Gone when it was used.
create table email_link (
  hash bytea primary key,
  purpose text not null check (purpose in ('sign_up', 'sign_in', 'reset')),
  email text not null,
  -- Null for a sign-up, which has no account yet.
  user_id uuid references user_account on delete cascade,
  -- False for one that the operator handed out: whoever opens it has not shown that the address is theirs.
  mailed boolean not null default true,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index email_link_expiry on email_link (expires_at);
create index email_link_address on email_link (lower(email));
create index email_link_of on email_link (user_id);

-- E-mails about accounts that wait to be sent; gone when they are. Sealed, because links are in them.
create table account_mail (
  id uuid primary key,
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
  created_at timestamptz not null
);
create index account_mail_due on account_mail (due_at);
create index account_mail_about on account_mail (about) where about is not null;

-- Programs that may ask people for access: registered here, or described by a document at the address that is their id.
create table oauth_client (
  id text primary key,
  name text not null,
  redirect_uris text[] not null,
  home_url text,
  auth_method text not null check (auth_method in ('none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt')),
  -- Its public keys or the address of them, as src/domain/oauth/client-keys.ts has it; null for one that does not sign.
  keys jsonb,
  secret_hash bytea,
  -- Until when the document need not be read again; null for a registered client.
  fresh_until timestamptz,
  created_at timestamptz not null,
  -- Until when it is remembered although it holds no grant.
  kept_until timestamptz not null
);
create index oauth_client_kept on oauth_client (kept_until);

-- Signed statements of clients that were used, each as the hash of its id: it counts once.
create table oauth_assertion (
  client_id text not null references oauth_client on delete cascade,
  hash bytea not null,
  expires_at timestamptz not null,
  primary key (client_id, hash)
);
create index oauth_assertion_expiry on oauth_assertion (expires_at);

-- What a person allowed a client in one workspace. Its tokens act within the role that the person has when they are used.
create table oauth_grant (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null,
  user_id uuid not null references user_account on delete cascade,
  client_id text not null references oauth_client on delete cascade,
  scope text not null check (scope in ('read', 'write')),
  -- The audience of its tokens: the address of the tool server as it was then.
  resource text not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (workspace_id, id)
);
create index oauth_grant_of on oauth_grant (user_id);
create index oauth_grant_client on oauth_grant (client_id);

create table oauth_code (
  hash bytea primary key,
  workspace_id uuid not null,
  grant_id uuid not null,
  redirect_uri text not null,
  -- The S256 challenge of PKCE.
  challenge text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (workspace_id, grant_id) references oauth_grant on delete cascade
);
create index oauth_code_of on oauth_code (workspace_id, grant_id);
create index oauth_code_expiry on oauth_code (expires_at);

create table oauth_token (
  hash bytea primary key,
  kind text not null check (kind in ('access', 'refresh')),
  workspace_id uuid not null,
  grant_id uuid not null,
  scope text not null check (scope in ('read', 'write')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When a refresh token was exchanged: one that comes a second time was stolen.
  used_at timestamptz,
  -- The hash of the refresh token that a refresh token was given for; null for the first of a grant.
  replaces bytea,
  foreign key (workspace_id, grant_id) references oauth_grant on delete cascade
);
create index oauth_token_of on oauth_token (workspace_id, grant_id);
create index oauth_token_expiry on oauth_token (expires_at);
