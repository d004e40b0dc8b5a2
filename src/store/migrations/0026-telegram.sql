-- A link by which a chat can be connected to a Telegram channel: the last one of the channel, good once and for a while. Only its hash is known.
create table telegram_link (
  workspace_id uuid not null,
  channel_id uuid not null,
  hash bytea not null,
  expires_at timestamptz not null,
  primary key (workspace_id, channel_id),
  foreign key (workspace_id, channel_id) references channel on delete cascade
);
create index telegram_link_hash on telegram_link (hash);
create index telegram_link_expiry on telegram_link (expires_at);

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
  bot text primary key,
  holder uuid not null,
  leased_until timestamptz not null
);

-- What Telegram says of a chat concerns every channel that speaks there.
create index channel_by_telegram_chat on channel ((config ->> 'chatId')) where kind = 'telegram';
