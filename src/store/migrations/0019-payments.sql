-- Everybody that a workspace has been at the payment provider. When the person leaves whose customer it is, the next payment
-- makes another one; the invoices of the former one are still those of the workspace.
create table billing_customer (
  workspace_id uuid not null references workspace on delete cascade,
  -- The provider's id.
  customer_id text not null,
  -- Whose it is, and the address that the provider has; null where that was not kept.
  user_id uuid,
  email text,
  made_at timestamptz not null,
  -- When a payment was last begun for it. For some days afterwards the provider is asked what came of it.
  begun_at timestamptz not null,
  primary key (workspace_id, customer_id)
);
create index billing_customer_begun on billing_customer (begun_at);

-- With what was saved belongs the person who paid with it, because it is forgotten when that person leaves.
alter table billing_profile add column payment_method_user_id uuid;

-- Until now the owner who had been there for longest was billed.
insert into billing_customer (workspace_id, customer_id, user_id, made_at, begun_at)
select p.workspace_id, p.customer_id, (select user_id from membership m where m.workspace_id = p.workspace_id and m.role = 'owner' order by m.joined_at, m.id limit 1), now(), now()
from billing_profile p where p.customer_id is not null;
update billing_profile p set payment_method_user_id = c.user_id
from billing_customer c where c.workspace_id = p.workspace_id and c.customer_id = p.customer_id and p.payment_method_id is not null;
