-- What a team does with a mention, and who wrote it.
alter table mention
  -- The author as this workspace sees it: made from workspace, platform and the author's own identity. Null where nobody is named.
  add column account_id uuid,
  -- The person of the team who looks after it.
  add column assignee_id uuid,
  -- Hidden from lists until then.
  add column snoozed_until timestamptz,
  add column triage_note text,
  -- What the team marked. `relevance` and `sentiment` hold what counts now, and these what the scorer had said where it was overruled.
  add column feedback_relevant boolean,
  add column feedback_sentiment smallint,
  add column feedback_at timestamptz,
  add column original_relevance smallint,
  add column original_sentiment smallint;

-- For lists by publication time and for counts over days. Neither changes once the mention is made.
create index mention_published on mention (workspace_id, published_at desc, id desc) include (keyword_id);
-- Only what somebody has touched: a small part, which is looked for among very many others.
create index mention_triaged on mention (workspace_id, id desc) where status <> 0 or assignee_id is not null or snoozed_until is not null;

-- One author on one platform, as a workspace has seen it. Follows the scored mentions a moment later.
create table account (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null,
  person_id uuid not null,
  platform smallint not null,
  name text,
  handle text,
  url text,
  avatar_url text,
  followers integer,
  primary key (workspace_id, id)
);
create index account_of_person on account (workspace_id, person_id);

-- Who stands behind one or several accounts, and what the team says of them. Its id is that of its first account.
create table person (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null,
  tags text[] not null default '{}',
  notes text not null default '',
  muted boolean not null default false,
  primary key (workspace_id, id)
);
-- The few of whom lists and rules have to know.
create index person_muted on person (workspace_id, id) where muted;
create index person_tagged on person using gin (tags) where tags <> '{}';
