-- The ledger by double entry. Every entry has a key, under which it is booked at most once in its workspace however often
-- that is tried.
alter table ledger_entry add column key text;
update ledger_entry set key = 'entry ' || id;
-- The welcome credit is booked once for good; where somebody booked more of them, the first one has the name.
update ledger_entry e set key = 'welcome'
where e.kind = 'signup_credit'
  and e.id = (select f.id from ledger_entry f where f.workspace_id = e.workspace_id and f.kind = 'signup_credit' order by f.created_at, f.id limit 1);
alter table ledger_entry alter column key set not null;
create unique index ledger_entry_key on ledger_entry (workspace_id, key);

-- What an entry moves between accounts: from the wallet and to another, or the other way. The two always add up to nothing.
create table ledger_posting (
  workspace_id uuid not null,
  entry_id uuid not null,
  account text not null check (account in ('wallet', 'revenue', 'credit', 'payment')),
  amount_units bigint not null,
  primary key (workspace_id, entry_id, account),
  foreign key (workspace_id, entry_id) references ledger_entry (workspace_id, id) on delete cascade
);
insert into ledger_posting (workspace_id, entry_id, account, amount_units)
select workspace_id, id, 'wallet', amount_units from ledger_entry
union all
select workspace_id, id,
  case when kind like 'debit%' then 'revenue' when kind in ('signup_credit', 'grant', 'adjustment') then 'credit' else 'payment' end, -amount_units
from ledger_entry;

-- What is booked stays as it was: mistakes are corrected by further entries. Only with its workspace does a ledger go.
create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if not exists (select from workspace where id = old.workspace_id) then
      return old;
    end if;
  end if;
  raise exception 'the ledger is append-only: % of % is refused', lower(tg_op), tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger ledger_entry_stays before update or delete on ledger_entry for each row execute function refuse_ledger_change();
create trigger ledger_posting_stays before update or delete on ledger_posting for each row execute function refuse_ledger_change();
create trigger ledger_entry_is_kept before truncate on ledger_entry for each statement execute function refuse_ledger_change();
create trigger ledger_posting_is_kept before truncate on ledger_posting for each statement execute function refuse_ledger_change();

-- True from the moment that the wallet was said to be low until the next credit.
alter table workspace add column low_told boolean not null default false;
-- For the daily run, which looks for workspaces whose yesterday is not settled.
create index workspace_settled on workspace (settled_through, id);

-- Where money was spent since somebody last looked whether it still suffices. A row for every batch of charges, so that a
-- charge whose transaction ends after the look has a row of its own; it is gone with the look. It may outlive its workspace.
create table wallet_spent (
  workspace_id uuid not null,
  id bigint generated always as identity,
  primary key (workspace_id, id)
);
