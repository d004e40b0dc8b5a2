-- Further rules that wanted a mention on the channel, beside the one in alert_id, in the order in which they are named; null for none.
alter table delivery add column more_alerts uuid[];

-- The deliveries whose more_alerts name a rule, newest found first: what an index of the array could not give. Removed with the delivery,
-- by whoever tidies the log up, as attempts are.
create table delivery_by_more_alerts (
  workspace_id uuid not null,
  alert_id uuid not null,
  delivery_id uuid not null,
  primary key (workspace_id, alert_id, delivery_id)
);
