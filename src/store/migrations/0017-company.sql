-- What the classifier knows of the company behind a workspace. A workspace without a row has written nothing yet.
create table company (
  workspace_id uuid primary key references workspace on delete cascade,
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
  updated_at timestamptz not null
);

-- Rules for all keywords of a workspace. A workspace without a row has none.
create table workspace_filters (
  workspace_id uuid primary key references workspace on delete cascade,
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
  updated_at timestamptz not null
);
-- So that whoever follows the filters of the installation reads nothing but an index to see that nothing has changed.
create index workspace_filters_followed on workspace_filters (workspace_id, revision);
-- For the filters that exclude a person.
create index workspace_filters_excluding on workspace_filters using gin (excluded_author_keys) where excluded_author_keys <> '{}';

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
  reason text not null check (reason in ('required_terms', 'excluded_term', 'excluded_author', 'workspace_filter', 'cap')),
  published_at timestamptz not null,
  created_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, keyword_id) references keyword (workspace_id, id) on delete cascade
);
create unique index rejected_post_once on rejected_post (workspace_id, keyword_id, post_id);
create index rejected_post_of_keyword on rejected_post (workspace_id, keyword_id, id desc);
-- For what is deleted on its platform, and for what is a day old.
create index rejected_post_by_post on rejected_post (post_id);
create index rejected_post_by_author on rejected_post (platform, author_id) where author_id is not null;
create index rejected_post_by_time on rejected_post (created_at);

-- Explaining a post begins with its address.
create index post_by_url on post using hash (url);

-- How often words stand in what is read, from a sample of all posts, by week (its Monday): for hints on terms that are
-- common words. Nothing here says whose post it was or what else it said.
create table word_week (
  week date primary key,
  -- Posts that the sample was taken of, and posts in it.
  posts_read bigint not null,
  posts_sampled bigint not null,
  -- For how long it was counted, over all processes that read.
  began_at timestamptz not null,
  ended_at timestamptz not null
);
create table word_count (
  week date not null,
  -- A folded word, or two that follow each other with a space between them.
  words text not null,
  posts bigint not null,
  -- Looked up by the words, in one week or two.
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
