-- How a workspace pays, from the first time that this is looked after.
create table billing_profile (
  workspace_id uuid primary key references workspace on delete cascade,
  -- The workspace at the payment provider; null until its first top-up is begun.
  customer_id text,
  -- What may be charged without the person; null until a top-up was paid. The instant is that of the payment it comes from.
  payment_method_id text,
  payment_method_at timestamptz,
  auto_enabled boolean not null default false,
  auto_threshold_cents int not null,
  auto_amount_cents int not null,
  -- When a recharge was last begun, and why the last one came to nothing; null when it did not.
  last_run_at timestamptz,
  last_error text,
  -- No recharge is begun before.
  next_try_at timestamptz,
  -- The recharge whose outcome is not known: what was asked for, so that it can be asked for in the same words again, and
  -- until when nobody else asks. At most one a workspace.
  attempt_id uuid,
  attempt jsonb,
  attempt_begun_at timestamptz,
  attempt_held_until timestamptz,
  check ((attempt_id is null) = (attempt is null))
);
create index billing_profile_auto on billing_profile (workspace_id) where auto_enabled or attempt_id is not null;

-- What is known of a payment beside the ledger. It may be here before the payment itself is told.
create table payment (
  workspace_id uuid not null references workspace on delete cascade,
  -- The provider's id of it.
  reference text not null,
  -- How much of it has gone back so far, as told at that instant.
  refunded_cents int not null default 0,
  refunded_as_of timestamptz,
  primary key (workspace_id, reference)
);
-- What is told of a dispute names the payment alone.
create index payment_reference on payment (reference);
