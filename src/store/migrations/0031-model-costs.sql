-- What a language model that scores mentions costs. Money is in whole millionths of a dollar, days are those of UTC.

-- What was spent on a day, by all workspaces, also by those that are gone. Whoever sets money aside or counts a cost holds the row of
-- the day, so that the sums below hold still.
create table model_budget_day (
  day date primary key,
  micro_usd bigint not null default 0
);

-- Money set aside for a call on its way; gone when the call is counted. One whose process died ends by itself.
create table model_reservation (
  workspace_id uuid not null references workspace on delete cascade,
  id uuid not null,
  day date not null,
  micro_usd bigint not null,
  ends_at timestamptz not null,
  primary key (workspace_id, id)
);
create index model_reservation_by_day on model_reservation (day);
create index model_reservation_ended on model_reservation (ends_at);

-- What the calls for a workspace came to on a day.
create table model_day (
  workspace_id uuid not null references workspace on delete cascade,
  day date not null,
  calls integer not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  micro_usd bigint not null,
  primary key (workspace_id, day)
);
create index model_day_by_day on model_day (day);

-- Verdicts of language models, so that the same text in the same context is asked about once. The key is a hash of the text, of all that
-- it was judged by, of the model and of the version of the question.
create table model_verdict (
  workspace_id uuid not null references workspace on delete cascade,
  key bytea not null,
  relevance smallint not null,
  sentiment smallint not null,
  intents integer not null,
  automated boolean not null,
  language text,
  confidence double precision not null,
  note text not null,
  made_at timestamptz not null,
  primary key (workspace_id, key)
);
create index model_verdict_by_age on model_verdict (made_at);
