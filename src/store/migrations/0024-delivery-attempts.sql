-- Each attempt of a delivery: what was sent and what came back. Written with the result of the attempt and never changed, and
-- removed with the delivery, by whoever tidies the log up: a check of every row by the database would cost more than the row.
create table delivery_attempt (
  workspace_id uuid not null,
  delivery_id uuid not null,
  -- Counts over all retries of the delivery.
  number smallint not null,
  -- When the request was built.
  at timestamptz not null,
  duration_ms integer not null,
  outcome text not null check (outcome in ('delivered', 'temporary_failure', 'permanent_failure')),
  error text,
  -- The headers as JSON, a line feed, and the body, as bytes: a body may hold what text columns do not take. Null when nothing
  -- could be sent.
  request bytea,
  response_status smallint,
  -- The beginning of the reply.
  response_excerpt text,
  primary key (workspace_id, delivery_id, number)
);
-- An ordinary request stays in its row. Moved out of it, each would be two rows and two more entries of an index.
alter table delivery_attempt alter column request set storage main;
-- Nor is it worth compressing: that takes longer than writing it.
alter table delivery_attempt set (toast_tuple_target = 8160);
